import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { Environment } from '../config/environment.js';
import { type DatabaseSchema, dataSourceOptions } from './data-source.options.js';
import { LookUpConnections, ReadConnections, SearchConnections } from './reads/read-connections.js';
import { Transactions } from './transactions.js';
import { unreachableDatabase } from './unreachable-database.js';

/** The connections to Postgres: TypeORM's pool for writes, pipelined read connections for look-ups, lists and searches. */
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
          dataSourceFactory: connected,
        }),
      ],
      providers: [
        Transactions,
        ...[LookUpConnections, ReadConnections, SearchConnections].map((Connections) => ({
          provide: Connections,
          inject: [Environment],
          useFactory: (environment: Environment) => new Connections(environment),
        })),
      ],
      exports: [Transactions, ReadConnections, SearchConnections],
    };
  }
}

/** The error of a database that cannot be reached says so, because the service connects to other servers, too. */
async function connected(options?: DataSourceOptions): Promise<DataSource> {
  if (!options) throw new Error('The database has no configuration');
  try {
    return await new DataSource(options).initialize();
  } catch (error) {
    const sentence = unreachableDatabase(error);
    throw sentence === null ? error : new Error(sentence, { cause: error });
  }
}
