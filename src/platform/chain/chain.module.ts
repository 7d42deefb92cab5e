import { Global, Module } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { ChainClient } from './chain-client.js';
import { ChainConfig } from './chain-config.js';
import { ChainHealth } from './chain-health.js';
import { RpcEndpoint } from './rpc/rpc-endpoint.js';
import { ChainSimulation } from './simulation.js';
import { UsdcToken } from './usdc-token.js';
import { WalletSignatures } from './wallet-signatures.js';

/**
 * The chain, read only. No provider that needs `ChainConfig` exists before the chain has been found to be the
 * configured one.
 */
@Global()
@Module({
  providers: [
    RpcEndpoint,
    ChainClient,
    ChainHealth,
    ChainSimulation,
    WalletSignatures,
    UsdcToken,
    {
      provide: ChainConfig,
      inject: [ChainClient, Environment],
      useFactory: (client: ChainClient, environment: Environment) => ChainConfig.read(client, environment),
    },
  ],
  exports: [ChainClient, ChainConfig, ChainHealth, ChainSimulation, WalletSignatures, UsdcToken],
})
export class ChainModule {}
