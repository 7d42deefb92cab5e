import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Environment } from '../../src/platform/config/environment.js';
import { ChainMarket } from './chain-market.js';
import { createMigratedDatabase } from './database.js';
import { IndexedMarket, type Party } from './indexed-market.js';
import { RpcProxy } from './rpc-proxy.js';
import { TestService } from './test-service.js';

interface Closable {
  close(): Promise<unknown>;
}

/** A chain for all tests of a spec, and for each test a market with three parties and the indexes that it opens. */
export class IndexFixture {
  chain!: ChainMarket;
  market!: IndexedMarket;
  databaseUrl = '';
  buyer!: Party;
  worker!: Party;
  other!: Party;
  private readonly opened: Closable[] = [];

  /** Tells Jest what to do before and after the tests of the spec that makes it. */
  constructor() {
    beforeAll(async () => {
      this.chain = await ChainMarket.start();
    });
    beforeEach(async () => {
      const { url, dataSource } = await createMigratedDatabase();
      this.databaseUrl = url;
      this.market = new IndexedMarket(this.chain, dataSource);
      this.buyer = await this.market.party('Buyer');
      this.worker = await this.market.party('Worker');
      this.other = await this.market.party('Other');
    });
    afterEach(async () => {
      for (const part of this.opened.splice(0).reverse()) await part.close();
      await this.market.dataSource.destroy();
    });
    afterAll(() => this.chain?.stop());
  }

  async open(own: Partial<Environment> = {}): Promise<TestService> {
    const index = await TestService.start(this.databaseUrl, { ...this.market.connection, ...own });
    this.opened.push(index);
    return index;
  }

  /** Closes an index before its test ends. */
  async close(index: TestService): Promise<void> {
    this.opened.splice(this.opened.indexOf(index), 1);
    await index.close();
  }

  async proxied(): Promise<RpcProxy> {
    const proxy = await RpcProxy.start(this.chain.anvil.url);
    this.opened.push({ close: () => proxy.stop() });
    return proxy;
  }

  /** An index that follows the chain in its own process, which a test can kill. */
  async process(): Promise<ChildProcess> {
    const { rpcUrl, escrowFactoryAddress } = this.market.connection;
    const index = { INDEX_DATABASE_URL: this.databaseUrl, INDEX_RPC_URL: rpcUrl, INDEX_FACTORY: escrowFactoryAddress };
    const child = spawn(
      process.execPath,
      ['run-typescript.cjs', 'indexer-process.ts'].map((name) => join(__dirname, name)),
      {
        env: { ...process.env, ...index },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    this.opened.push({
      close: async () => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill('SIGKILL');
        await once(child, 'exit');
      },
    });
    await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(() => Promise.reject(new Error('The indexer process ended'))),
    ]);
    return child;
  }
}
