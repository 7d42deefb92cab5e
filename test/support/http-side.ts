import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { DataSource } from 'typeorm';
import { AppModule } from '../../src/app.module.js';
import { configureApp, createHttpAdapter } from '../../src/app.setup.js';
import { AccountsService } from '../../src/modules/accounts/accounts.service.js';
import { ApiKeysService } from '../../src/modules/credentials/api-keys/api-keys.service.js';
import type { Scope } from '../../src/modules/credentials/scope.js';
import type { Environment } from '../../src/platform/config/environment.js';
import { IndexerRunner } from '../../src/modules/escrow/indexer/indexer.runner.js';
import { ChainConfig } from '../../src/platform/chain/chain-config.js';
import { createMigratedDatabase } from './database.js';
import { testEnvironment } from './test-environment.js';

/** An account and its keys. */
export interface HttpCaller {
  accountId: string;
  keys: Record<Scope, string>;
}

/** The whole service over HTTP without chain and indexer, for specs that need neither. */
export class HttpSide {
  private constructor(
    readonly url: string,
    readonly dataSource: DataSource,
    private readonly app: INestApplication,
  ) {}

  static async create(own: Partial<Environment> = {}): Promise<HttpSide> {
    const database = await createMigratedDatabase();
    const environment = testEnvironment(database.url, { logLevel: 'silent', managementPort: 0, ...own });
    const testing = await Test.createTestingModule({ imports: [AppModule.register(environment)] })
      .overrideProvider(ChainConfig)
      .useValue({})
      .overrideProvider(IndexerRunner)
      .useValue({})
      .setLogger({ log() {}, warn() {}, error() {} })
      .compile();
    const app = testing.createNestApplication(createHttpAdapter(environment), { bodyParser: false });
    configureApp(app);
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    return new HttpSide(`http://127.0.0.1:${port}`, database.dataSource, app);
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.dataSource.destroy();
  }

  /** A new account with this wallet, and a key of each scope. */
  async caller(walletAddress: string): Promise<HttpCaller> {
    const account = await this.app.get(AccountsService).create({ name: randomUUID(), walletAddress });
    const keys = await this.app.get(ApiKeysService).createKeySet(account, { name: 'test' });
    return { accountId: account.id, keys };
  }
}
