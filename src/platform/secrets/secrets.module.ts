import { Global, Module } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { Sealer } from './sealer.js';

@Global()
@Module({
  providers: [
    { provide: Sealer, inject: [Environment], useFactory: (environment: Environment) => new Sealer(environment) },
  ],
  exports: [Sealer],
})
export class SecretsModule {}
