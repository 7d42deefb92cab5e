import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { INestApplicationContext } from '@nestjs/common';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { AppModule } from '../../src/app.module.js';
import { configureApp, createHttpAdapter } from '../../src/app.setup.js';
import { AccountsService } from '../../src/modules/accounts/accounts.service.js';
import { ApiKeysService } from '../../src/modules/credentials/api-keys/api-keys.service.js';
import type { Scope } from '../../src/modules/credentials/scope.js';
import { IndexerStatus } from '../../src/modules/escrow/indexed-chain/indexer-status.js';
import { IndexerService } from '../../src/modules/escrow/indexer/indexer.service.js';
import { IndexerRunner } from '../../src/modules/escrow/indexer/indexer.runner.js';
import { ChainConfig } from '../../src/platform/chain/chain-config.js';
import type { Environment } from '../../src/platform/config/environment.js';
import { FallbackWindowCounter } from '../../src/platform/rate-limit/counters/fallback-window-counter.js';
import { Clock } from '../../src/platform/time/clock.js';
import { createMigratedDatabase } from './database.js';
import { patientCounter } from './patient.js';
import { SteppingClock } from './stepping-clock.js';
import { testEnvironment } from './test-environment.js';

/** An account and its keys. */
export interface Caller {
  accountId: string;
  keys: Record<Scope, string>;
}

/** What a spec replaces in the service. */
export interface Replaced<OwnClock extends Clock> {
  clock: OwnClock;
  /** True: the service starts as if it had asked the chain; whatever asks it later fails. */
  withoutChain?: boolean;
}

/**
 * The whole service in the spec's own process, on the spec's own database and chain. The index advances only when told
 * to, unless the settings say otherwise.
 */
export class TestService<OwnClock extends Clock = SteppingClock> {
  private constructor(
    private readonly context: INestApplicationContext,
    readonly clock: OwnClock,
    /** Where it listens; empty when it does not. */
    readonly url: string,
  ) {}

  /** Starts it without listeners. */
  static start(databaseUrl: string, own?: Partial<Environment>): Promise<TestService>;
  static start<OwnClock extends Clock>(
    databaseUrl: string,
    own: Partial<Environment>,
    replaced: Replaced<OwnClock>,
  ): Promise<TestService<OwnClock>>;
  static async start(
    databaseUrl: string,
    own: Partial<Environment> = {},
    replaced: Replaced<Clock> = { clock: new SteppingClock() },
  ): Promise<TestService<Clock>> {
    const testing = await builder(testEnvironment(databaseUrl, { indexerEnabled: false, ...own }), replaced).compile();
    patientCounter(testing.get(FallbackWindowCounter, { strict: false }));
    try {
      return new TestService(await testing.init(), replaced.clock, '');
    } catch (error) {
      // What had started before the error must not outlive the spec.
      await testing.close().catch(() => undefined);
      throw error;
    }
  }

  /** Starts it with its routes on a free loopback port and a database of its own, without a chain. */
  static async listen(own: Partial<Environment> = {}): Promise<TestService> {
    const { url: databaseUrl, dataSource } = await createMigratedDatabase();
    await dataSource.destroy();
    const environment = testEnvironment(databaseUrl, { logLevel: 'silent', managementPort: 0, ...own });
    const clock = new SteppingClock();
    const testing = await builder(environment, { clock, withoutChain: true }).compile();
    const app = testing.createNestApplication(createHttpAdapter(environment), { bodyParser: false });
    configureApp(app);
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    return new TestService(app, clock, `http://127.0.0.1:${port}`);
  }

  get<T>(type: abstract new (...args: any[]) => T): T {
    return this.context.get<T>(type, { strict: false });
  }

  get dataSource(): DataSource {
    return this.get(DataSource);
  }

  get indexerStatus(): IndexerStatus {
    return this.get(IndexerStatus);
  }

  /** A new account with this wallet, if any, and a key of each scope. */
  async caller(walletAddress: string | null): Promise<Caller> {
    const account = await this.get(AccountsService).create({ name: randomUUID(), walletAddress });
    return { accountId: account.id, keys: await this.get(ApiKeysService).createKeySet(account, { name: 'test' }) };
  }

  /** Advances the index to the chain's newest block, until nothing is left to do. */
  async index(): Promise<void> {
    const indexer = this.get(IndexerService);
    while ((await indexer.advance()) === 'again');
    await indexer.settled();
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

function builder(environment: Environment, { clock, withoutChain }: Replaced<Clock>): TestingModuleBuilder {
  const testing = Test.createTestingModule({ imports: [AppModule.register(environment)] })
    .overrideProvider(Clock)
    .useValue(clock)
    .setLogger({ log() {}, warn() {}, error() {} });
  if (withoutChain !== true) return testing;
  return testing.overrideProvider(ChainConfig).useValue({}).overrideProvider(IndexerRunner).useValue({});
}
