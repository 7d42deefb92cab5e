import type { INestApplication } from '@nestjs/common';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { ZeroAddress } from 'ethers';
import { DataSource } from 'typeorm';
import { AppModule } from '../../../src/app.module.js';
import { configureApp, createHttpAdapter } from '../../../src/app.setup.js';
import { AccountsService } from '../../../src/modules/accounts/accounts.service.js';
import { IndexerRunner } from '../../../src/modules/escrow/indexer/indexer.runner.js';
import { ChainConfig } from '../../../src/platform/chain/chain-config.js';
import type { Environment } from '../../../src/platform/config/environment.js';
import { FallbackWindowCounter } from '../../../src/platform/rate-limit/counters/fallback-window-counter.js';
import { ChainMarket } from '../chain-market.js';
import { createMigratedDatabase } from '../database.js';
import { freePort } from '../loopback-port.js';
import { patientCounter } from '../patient.js';
import { testEnvironment } from '../test-environment.js';
import type { Person } from './person.js';

export interface OAuthAppOptions {
  /** Changed members of the environment. Give `baseUrl` only when it must differ from where the service listens. */
  environment?: Partial<Environment>;
  /** True: a chain with the contracts deployed; false: no chain, so that everything that asks it fails. */
  chain?: boolean;
  /** An existing migrated database, to start a second process on it. */
  databaseUrl?: string;
  /** A path prefix that a gateway is assumed to remove; BASE_URL is the listener's URL followed by it. */
  prefix?: string;
  /** Replaces providers before the application is made. */
  override?: (testing: TestingModuleBuilder) => TestingModuleBuilder;
  /** Called with the application before it listens, to add routes of the spec. */
  prepare?: (app: INestApplication) => void;
}

/** The whole service on a free loopback port and its own database; the index does not advance. */
export class OAuthApp {
  private constructor(
    readonly app: INestApplication,
    /** Where it listens: equal to BASE_URL unless a prefix or another BASE_URL was asked for. */
    readonly url: string,
    readonly environment: Environment,
    /** Another connection to the service's database, for specs to read and change rows. */
    readonly dataSource: DataSource,
    readonly chain: ChainMarket | null,
  ) {}

  static async start(options: OAuthAppOptions = {}): Promise<OAuthApp> {
    const chain = options.chain === true ? await ChainMarket.start() : null;
    const { url: databaseUrl, dataSource } = await database(options.databaseUrl);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const environment = testEnvironment(databaseUrl, {
      baseUrl: `${url}${options.prefix ?? ''}`,
      port,
      indexerEnabled: false,
      logLevel: 'silent',
      rateLimitToken: 100_000,
      rateLimitTokenClient: 100_000,
      rateLimitRegistration: 100_000,
      rateLimitRegistrationTotal: 1_000_000,
      rateLimitSignIn: 100_000,
      rateLimitSignInTotal: 1_000_000,
      rateLimitAuthFailures: 100_000,
      ...(chain ? { rpcUrl: chain.anvil.url, escrowFactoryAddress: chain.factory } : {}),
      ...options.environment,
    });
    let testing = Test.createTestingModule({ imports: [AppModule.register(environment)] });
    if (chain === null) testing = withoutChain(testing, environment);
    if (options.override) testing = options.override(testing);
    const compiled = await testing.setLogger({ log() {}, warn() {}, error() {} }).compile();
    const app = compiled.createNestApplication(createHttpAdapter(environment), { bodyParser: false });
    configureApp(app);
    options.prepare?.(app);
    patientCounter(app.get(FallbackWindowCounter));
    await app.listen(port, '127.0.0.1');
    return new OAuthApp(app, url, environment, dataSource, chain);
  }

  get<T>(type: abstract new (...args: any[]) => T): T {
    return this.app.get<T>(type, { strict: false });
  }

  /** A new account; by default without a wallet. */
  account(name: string, walletAddress: string | null = null) {
    return this.get(AccountsService).create({ name, walletAddress });
  }

  /** Rows of a query on the service's database. */
  rows<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return this.dataSource.query<Row[]>(sql, values);
  }

  /** The account that signs with this person's wallet. */
  async accountOf({ wallet: { address } }: Pick<Person, 'wallet'>): Promise<string> {
    const [row] = await this.rows<{ id: string }>('SELECT id FROM accounts WHERE wallet_address = $1', [address]);
    if (!row) throw new Error(`No account has the wallet ${address}`);
    return row.id;
  }

  async close(): Promise<void> {
    // Specs' `fetch` keeps its connections open, and `close` would wait for them.
    this.app.getHttpServer().closeAllConnections();
    await this.app.close();
    await this.dataSource.destroy();
    await this.chain?.stop();
  }
}

async function database(existing: string | undefined): Promise<{ url: string; dataSource: DataSource }> {
  if (existing === undefined) return createMigratedDatabase();
  const dataSource = new DataSource({ type: 'postgres', url: existing });
  return { url: existing, dataSource: await dataSource.initialize() };
}

/** Lets the service start as if it had asked the chain, which is enough for wallets that are keys. */
function withoutChain(testing: TestingModuleBuilder, { chainId }: Environment): TestingModuleBuilder {
  const config = new ChainConfig({
    chainId,
    factoryAddress: ZeroAddress as `0x${string}`,
    implementationAddress: ZeroAddress as `0x${string}`,
    usdcAddress: ZeroAddress as `0x${string}`,
    usdcName: 'USDC',
    usdcVersion: '2',
  });
  return testing.overrideProvider(ChainConfig).useValue(config).overrideProvider(IndexerRunner).useValue({});
}
