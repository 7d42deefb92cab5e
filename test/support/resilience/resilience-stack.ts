import type { DataSource } from 'typeorm';
import type { Scope } from '../../../src/modules/credentials/scope.js';
import { ChainMarket } from '../chain-market.js';
import { createMigratedDatabase } from '../database.js';
import { eventually } from '../eventually.js';
import { type HiredTree, IndexedMarket, nodeId, type Party } from '../indexed-market.js';
import { keyIssuer } from '../key-issuer.js';
import { localMarket } from '../market.js';
import { RpcProxy } from '../rpc-proxy.js';
import { testEnvironment } from '../test-environment.js';
import { ServiceProcess } from './service-process.js';
import { TcpProxy } from './tcp-proxy.js';

export const APP_SECRET = 'the secret of the resilience specs, long enough';

/** A party that can also call the service. */
export interface Caller extends Party {
  keys: Record<Scope, string>;
}

/** Numbers of rows that a write may leave behind. */
export interface Leftovers {
  actions: number;
  records: number;
  nonces: number;
}

/**
 * A database, a chain with the contracts, and a proxy in front of each, which every service process of the spec uses.
 * The specs themselves connect to database and chain directly.
 */
export class ResilienceStack {
  readonly market: IndexedMarket;
  private readonly services: ServiceProcess[] = [];

  private constructor(
    readonly databaseUrl: string,
    readonly dataSource: DataSource,
    readonly chain: ChainMarket,
    readonly database: TcpProxy,
    readonly rpc: RpcProxy,
  ) {
    this.market = new IndexedMarket(chain, dataSource);
  }

  static async start(anvilArgs: readonly string[] = []): Promise<ResilienceStack> {
    useServerOf(localMarket().database_url);
    const { url, dataSource } = await createMigratedDatabase();
    const chain = await ChainMarket.start(anvilArgs);
    const database = await TcpProxy.start(Number(new URL(url).port));
    return new ResilienceStack(url, dataSource, chain, database, await RpcProxy.start(chain.anvil.url));
  }

  /** All variables of a deployed service. The limits are high unless a spec changes them. */
  variables(own: Record<string, string> = {}): Record<string, string> {
    const database = new URL(this.databaseUrl);
    database.port = String(this.database.port);
    return {
      DATABASE_URL: database.href,
      DATABASE_POOL_SIZE: '8',
      RPC_URL: this.rpc.url,
      ESCROW_FACTORY_ADDRESS: this.chain.factory,
      CHAIN_ID: '31337',
      CHAIN_POLL_MS: '50',
      BASE_URL: 'https://market.example',
      APP_SECRET,
      PORT: '0',
      MANAGEMENT_PORT: '0',
      DRAIN_SECONDS: '0',
      RATE_LIMIT_PRINCIPAL: '100000',
      RATE_LIMIT_PREPARE: '100000',
      RATE_LIMIT_ACCOUNT: '100000',
      RATE_LIMIT_ACCOUNT_PREPARE: '100000',
      RATE_LIMIT_IP: '100000',
      ...own,
    };
  }

  /** Starts a service process, which is ended at the latest with the stack. */
  async service(own: Record<string, string> = {}): Promise<ServiceProcess> {
    const service = await ServiceProcess.start(this.variables(own));
    this.services.push(service);
    return service;
  }

  /** Everything that the services have printed. */
  get log(): string {
    return this.services.map((service) => service.process.output).join('');
  }

  /** An account with an agent and one key per scope. */
  async caller(name: string): Promise<Caller> {
    const party = await this.market.party(name);
    const environment = testEnvironment(this.databaseUrl, { appSecret: APP_SECRET });
    const keys = keyIssuer(this.dataSource, environment);
    return { ...party, keys: await keys.createKeySet({ id: party.accountId }, { name }) };
  }

  /** A task whose root node is funded, on the chain and in the index of the running service. */
  async funded(buyer: Caller, worker: Caller): Promise<HiredTree & { nodeId: string }> {
    const tree = await this.market.hired(buyer, worker);
    await this.indexed(tree.taskId, 'funded');
    return { ...tree, nodeId: nodeId(tree.taskId, 1n) };
  }

  /** Waits until the index shows the root node in this state. */
  indexed(taskId: string, state: string): Promise<void> {
    return eventually(async () => (await this.market.nodeStates(taskId))['1'] === state, 15_000);
  }

  async leftovers(): Promise<Leftovers> {
    const [row] = await this.dataSource.query<Record<keyof Leftovers, string>[]>(`
      SELECT (SELECT count(*) FROM prepared_actions) AS actions, (SELECT count(*) FROM idempotency_records) AS records,
             (SELECT count(*) FROM wallet_nonces) AS nonces`);
    return { actions: Number(row!.actions), records: Number(row!.records), nonces: Number(row!.nonces) };
  }

  /** Number of the service's connections that are inside a transaction and wait for its next statement. */
  async openTransactions(): Promise<number> {
    const [row] = await this.dataSource.query<{ open: string }[]>(`
      SELECT count(*) AS open FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'tasktree' AND state LIKE 'idle in transaction%'`);
    return Number(row!.open);
  }

  /** Number of those that have waited for more than a second, so that a write between two statements does not count. */
  async heldConnections(): Promise<number> {
    const [row] = await this.dataSource.query<{ held: string }[]>(`
      SELECT count(*) AS held FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'tasktree' AND state LIKE 'idle in transaction%'
        AND state_change < clock_timestamp() - interval '1 second'`);
    return Number(row!.held);
  }

  /**
   * Makes the chain stop answering.
   * @returns a check that is true once operation 1 waits for the chain: only operation 1 calls a contract, and no
   * background work does.
   */
  silenceChain(): () => Promise<boolean> {
    const before = this.rpc.held.length;
    this.rpc.mode = 'hang';
    return () => Promise.resolve(this.rpc.held.slice(before).some(({ method }) => method === 'eth_call'));
  }

  /** Ends everything that was started, the newest first. */
  async stop(): Promise<void> {
    await Promise.all(this.services.map((service) => service.stop()));
    await this.rpc.stop();
    await this.database.stop();
    await this.chain.stop();
    await this.dataSource.destroy();
  }
}

/** Makes the databases of these specs in the server of the market that runs for all e2e specs. */
function useServerOf(databaseUrl: string): void {
  process.env.TEST_POSTGRES_URL ??= databaseUrl.slice(0, databaseUrl.lastIndexOf('/'));
}
