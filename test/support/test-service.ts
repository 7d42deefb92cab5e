import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { AppModule } from '../../src/app.module.js';
import type { AccountEntity } from '../../src/modules/accounts/account.entity.js';
import { AccountsService } from '../../src/modules/accounts/accounts.service.js';
import { ApiKeysService } from '../../src/modules/credentials/api-keys/api-keys.service.js';
import type { Scope } from '../../src/modules/credentials/scope.js';
import { IndexerStatus } from '../../src/modules/escrow/indexed-chain/indexer-status.js';
import { IndexerService } from '../../src/modules/escrow/indexer/indexer.service.js';
import type { Environment } from '../../src/platform/config/environment.js';
import { FallbackWindowCounter } from '../../src/platform/rate-limit/counters/fallback-window-counter.js';
import { Clock } from '../../src/platform/time/clock.js';
import { patientCounter } from './patient.js';
import { SteppingClock } from './stepping-clock.js';
import { testEnvironment } from './test-environment.js';

/** An account and its keys. */
export interface Caller {
  accountId: string;
  keys: Record<Scope, string>;
}

/**
 * The whole service in the spec's own process, on the spec's own database and chain. The index advances only when told
 * to, unless the settings say otherwise.
 */
export class TestService<OwnClock extends Clock = SteppingClock> {
  protected constructor(
    private readonly context: INestApplicationContext,
    readonly clock: OwnClock,
  ) {}

  /** Starts it without listeners. */
  static start(databaseUrl: string, own?: Partial<Environment>): Promise<TestService>;
  static start<OwnClock extends Clock>(
    databaseUrl: string,
    own: Partial<Environment>,
    replaced: { clock: OwnClock },
  ): Promise<TestService<OwnClock>>;
  static async start(
    databaseUrl: string,
    own: Partial<Environment> = {},
    { clock }: { clock: Clock } = { clock: new SteppingClock() },
  ): Promise<TestService<Clock>> {
    const environment = testEnvironment(databaseUrl, { indexerEnabled: false, ...own });
    const testing = await serviceModules(environment, clock).compile();
    patientCounter(testing.get(FallbackWindowCounter, { strict: false }));
    try {
      return new TestService(await testing.init(), clock);
    } catch (error) {
      // What had started before the error must not outlive the spec.
      await testing.close().catch(() => undefined);
      throw error;
    }
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

  /** A new account; by default without a wallet. */
  account(name: string, walletAddress: string | null = null): Promise<AccountEntity> {
    return this.get(AccountsService).create({ name, walletAddress });
  }

  /** A new account with this wallet, if any, and a key of each scope. */
  async caller(walletAddress: string | null): Promise<Caller> {
    const account = await this.account(randomUUID(), walletAddress);
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

/** The service's modules with these settings and this clock, for more of them to be replaced. */
export function serviceModules(environment: Environment, clock: Clock): TestingModuleBuilder {
  return Test.createTestingModule({ imports: [AppModule.register(environment)] })
    .overrideProvider(Clock)
    .useValue(clock)
    .setLogger({ log() {}, warn() {}, error() {} });
}
