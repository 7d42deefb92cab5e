import type { INestApplication } from '@nestjs/common';
import type { TestingModuleBuilder } from '@nestjs/testing';
import { ZeroAddress } from 'ethers';
import { DataSource } from 'typeorm';
import { configureApp, createHttpAdapter } from '../../src/app.setup.js';
import { IndexerRunner } from '../../src/modules/escrow/indexer/indexer.runner.js';
import { ChainConfig } from '../../src/platform/chain/chain-config.js';
import type { Environment } from '../../src/platform/config/environment.js';
import { FallbackWindowCounter } from '../../src/platform/rate-limit/counters/fallback-window-counter.js';
import { ChainMarket } from './chain-market.js';
import { createMigratedDatabase } from './database.js';
import { eventually } from './eventually.js';
import { freePort } from './loopback-port.js';
import { patientCounter } from './patient.js';
import { SteppingClock } from './stepping-clock.js';
import { testEnvironment } from './test-environment.js';
import { serviceModules, TestService } from './test-service.js';

export interface ListeningOptions {
  /**
   * Changed members of the environment. Give `baseUrl` only when it must differ from where the service listens. With an
   * `rpcUrl` the service reads that chain; otherwise it starts as if it had, which is enough for wallets that are keys.
   */
  environment?: Partial<Environment>;
  /** True: starts a chain with the contracts deployed. */
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

/** The whole service over HTTP, on a free loopback port and its own database; the index does not advance. */
export class ListeningService extends TestService {
  private constructor(
    readonly app: INestApplication,
    clock: SteppingClock,
    /** Where it listens: equal to BASE_URL unless a prefix or another BASE_URL was asked for. */
    readonly url: string,
    readonly environment: Environment,
    private readonly connection: DataSource,
    private readonly ownChain: ChainMarket | null,
  ) {
    super(app, clock);
  }

  static async listen(options: ListeningOptions = {}): Promise<ListeningService> {
    const ownChain = options.chain === true ? await ChainMarket.start() : null;
    const { url: databaseUrl, dataSource } = await database(options.databaseUrl);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const own = {
      ...(ownChain && { rpcUrl: ownChain.anvil.url, escrowFactoryAddress: ownChain.factory }),
      ...options.environment,
    };
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
      ...own,
    });
    const clock = new SteppingClock();
    let testing = serviceModules(environment, clock);
    if (own.rpcUrl === undefined) testing = withoutChain(testing, environment);
    if (options.override) testing = options.override(testing);
    const compiled = await testing.compile();
    const app = compiled.createNestApplication(createHttpAdapter(environment), { bodyParser: false });
    configureApp(app);
    options.prepare?.(app);
    patientCounter(app.get(FallbackWindowCounter));
    await app.listen(port, '127.0.0.1');
    return new ListeningService(app, clock, url, environment, dataSource, ownChain);
  }

  /** Another connection to the service's database, for specs to read and change rows. */
  override get dataSource(): DataSource {
    return this.connection;
  }

  /** The chain that was started with it. @throws when none was asked for. */
  get chain(): ChainMarket {
    if (this.ownChain === null) throw new Error('The service was started without a chain');
    return this.ownChain;
  }

  /** Rows of a query on the service's database. */
  rows<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return this.connection.query<Row[]>(sql, values);
  }

  /** Waits until all that was recorded is in the log of events: whoever listens from now on hears what comes after it. */
  async logged(): Promise<void> {
    await eventually(async () => (await this.rows('SELECT FROM event_outbox LIMIT 1')).length === 0);
  }

  /** The account that signs with this person's wallet. */
  async accountOf({ wallet: { address } }: { wallet: { address: string } }): Promise<string> {
    const [row] = await this.rows<{ id: string }>('SELECT id FROM accounts WHERE wallet_address = $1', [address]);
    if (!row) throw new Error(`No account has the wallet ${address}`);
    return row.id;
  }

  override async close(): Promise<void> {
    // Specs' `fetch` keeps its connections open, and `close` would wait for them.
    this.app.getHttpServer().closeAllConnections();
    await super.close();
    await this.connection.destroy();
    await this.ownChain?.stop();
  }
}

async function database(existing: string | undefined): Promise<{ url: string; dataSource: DataSource }> {
  if (existing === undefined) return createMigratedDatabase();
  const dataSource = new DataSource({ type: 'postgres', url: existing });
  return { url: existing, dataSource: await dataSource.initialize() };
}

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
