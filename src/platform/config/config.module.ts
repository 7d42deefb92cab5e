import { type DynamicModule, Module } from '@nestjs/common';
import { Environment } from './environment.js';

/** Makes the one configuration injectable by its type. */
@Module({})
export class ConfigModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: Environment, useValue: environment }],
      exports: [Environment],
    };
  }
}
