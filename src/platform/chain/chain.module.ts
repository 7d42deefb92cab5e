import { Global, Module } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { ChainClient } from './chain-client.js';
import { ChainConfig } from './chain-config.js';
import { ChainHealth } from './chain-health.js';
import { RpcEndpoint } from './rpc-endpoint.js';

/** The chain, read only. Nothing that needs it exists before the chain has been found to be the configured one. */
@Global()
@Module({
  providers: [
    RpcEndpoint,
    ChainClient,
    ChainHealth,
    {
      provide: ChainConfig,
      inject: [ChainClient, Environment],
      useFactory: (client: ChainClient, environment: Environment) => ChainConfig.read(client, environment),
    },
  ],
  exports: [ChainClient, ChainConfig, ChainHealth],
})
export class ChainModule {}
