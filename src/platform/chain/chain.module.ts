import { Global, Module } from '@nestjs/common';
import { ChainArrival } from './chain-arrival.js';
import { ChainClient } from './chain-client.js';
import { ChainConfig } from './chain-config.js';
import { ChainHealth } from './chain-health.js';
import { ChainStart } from './chain-start.js';
import { ChainGate, RpcEndpoint } from './rpc/rpc-endpoint.js';
import { ChainSimulation } from './simulation.js';
import { UsdcToken } from './usdc-token.js';
import { WalletSignatures } from './wallet-signatures.js';

/**
 * The chain, read only. No provider that needs `ChainConfig` exists before the chain has been found to be the
 * configured one; while it is away, nobody can ask it before that.
 */
@Global()
@Module({
  providers: [
    ChainGate,
    RpcEndpoint,
    ChainStart,
    ChainArrival,
    ChainClient,
    ChainHealth,
    ChainSimulation,
    WalletSignatures,
    UsdcToken,
    {
      provide: ChainConfig,
      inject: [ChainStart],
      useFactory: (start: ChainStart) => start.config(),
    },
  ],
  exports: [ChainArrival, ChainClient, ChainConfig, ChainHealth, ChainSimulation, WalletSignatures, UsdcToken],
})
export class ChainModule {}
