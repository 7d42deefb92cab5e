import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Environment } from '../config/environment.js';
import { type DatabaseSchema, dataSourceOptions } from './data-source.options.js';
import { ReadConnections, SearchConnections } from './read-connections.js';
import { Transactions } from './transactions.js';

/** The connections to Postgres: TypeORM's pool for writes, pipelined read connections for lists. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(schema: DatabaseSchema): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [Environment],
          useFactory: (environment: Environment) => ({
            ...dataSourceOptions(environment.databaseUrl, schema, environment.databasePoolSize),
            retryAttempts: 0,
          }),
        }),
      ],
      providers: [Transactions, ReadConnections, SearchConnections],
      exports: [Transactions, ReadConnections, SearchConnections],
    };
  }
}
