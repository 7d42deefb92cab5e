import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ChainMarket } from '../../support/chain-market.js';
import { createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { IndexedMarket, type Party } from '../../support/indexed-market.js';
import { IndexerApp } from '../../support/indexer-app.js';
import { RpcProxy } from '../../support/rpc-proxy.js';

let chain: ChainMarket;
let market: IndexedMarket;
let databaseUrl: string;
let buyer: Party;
let worker: Party;
const opened: { close(): Promise<unknown> }[] = [];

beforeAll(async () => {
  chain = await ChainMarket.start();
});

afterAll(() => chain.stop());

beforeEach(async () => {
  const { url, dataSource } = await createMigratedDatabase();
  databaseUrl = url;
  market = new IndexedMarket(chain, dataSource);
  buyer = await market.party('Buyer');
  worker = await market.party('Worker');
});

afterEach(async () => {
  for (const part of opened.splice(0).reverse()) await part.close();
  await market.dataSource.destroy();
});

async function open(own: Parameters<typeof IndexerApp.open>[1] = {}): Promise<IndexerApp> {
  const app = await IndexerApp.open(databaseUrl, { ...market.connection, ...own });
  opened.push(app);
  return app;
}

async function proxied(): Promise<RpcProxy> {
  const proxy = await RpcProxy.start(chain.anvil.url);
  opened.push({ close: () => proxy.stop() });
  return proxy;
}

describe('one runner', () => {
  const childOf = async (url: string): Promise<ChildProcess> => {
    const support = join(__dirname, '../../support');
    const { rpcUrl, escrowFactoryAddress } = market.connection;
    const child = spawn(process.execPath, [join(support, 'run-typescript.cjs'), join(support, 'indexer-process.ts')], {
      env: { ...process.env, INDEX_DATABASE_URL: url, INDEX_RPC_URL: rpcUrl, INDEX_FACTORY: escrowFactoryAddress },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    opened.push({
      close: async () => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill('SIGKILL');
        await once(child, 'exit');
      },
    });
    await Promise.race([
      once(child.stdout!, 'data'),
      once(child, 'exit').then(() => Promise.reject(new Error('The indexer process ended'))),
    ]);
    return child;
  };

  it('among two processes; when it is killed the other takes over within seconds', async () => {
    const child = await childOf(databaseUrl);
    const tree = await market.hired(buyer, worker);
    await eventually(async () => (await market.nodeStates(tree.taskId))[1] === 'funded');
    const app = await open({ indexerEnabled: true });
    await eventually(() => app.status.headBlock !== null);
    expect(app.status.runner).toBe(false);
    await chain.deliver(tree, 1, worker.wallet);
    await eventually(async () => (await market.nodeStates(tree.taskId))[1] === 'delivered');
    expect(app.status.runner).toBe(false);

    child.kill('SIGKILL');
    await chain.resolve(tree, tree.root, buyer.wallet);
    await eventually(async () => (await market.nodeStates(tree.taskId))[1] === 'released', 20_000);
    expect(app.status.runner).toBe(true);
    await eventually(() => app.status.lagBlocks === 0 && app.status.lastError === null);
  });

  it('hands over when it stops, and stops within the step', async () => {
    const first = await open({ indexerEnabled: true, chainPollMs: 60_000 });
    await eventually(() => first.status.runner);
    const second = await open({ indexerEnabled: true });
    await eventually(() => second.status.headBlock !== null);
    const stoppedAt = Date.now();
    await first.close();
    // It stops without sleeping to the end of its minute.
    expect(Date.now() - stoppedAt).toBeLessThan(20_000);
    await eventually(() => second.status.runner);
  });

  it('loses its place when its lock connection breaks, and gets one again', async () => {
    const app = await open({ indexerEnabled: true });
    await eventually(() => app.status.runner);
    await market.dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'tasktree-indexer' AND datname = current_database()`,
    );
    const tree = await market.hired(buyer, worker);
    await eventually(async () => (await market.nodeStates(tree.taskId))[1] === 'funded');
    await eventually(() => app.status.runner && app.status.lastError === null);
  });
});

describe('a chain that is away', () => {
  it.each(['refuse', 'error'] as const)(
    '(%s) stops the index, which goes on by itself when it is back',
    async (mode) => {
      const proxy = await proxied();
      const app = await open({ rpcUrl: proxy.url, indexerEnabled: true });
      await eventually(() => app.status.runner && app.status.lagBlocks === 0);
      proxy.mode = mode;
      await eventually(() => app.status.lastError !== null);
      expect(app.status.lastError).not.toContain(proxy.url);
      const tree = await market.hired(buyer, worker);
      expect(await market.nodeStates(tree.taskId)).toEqual({});
      proxy.mode = 'pass';
      await eventually(async () => (await market.nodeStates(tree.taskId))[1] === 'funded');
      await eventually(() => app.status.lastError === null);
    },
  );

  it('only for large ranges is read in smaller ones, which grow again', async () => {
    const proxy = await proxied();
    const spans: number[] = [];
    proxy.tamper = ({ method, params }, answer) => {
      const filter = params[0] as { fromBlock?: string; toBlock?: string };
      if (method !== 'eth_getLogs' || filter.fromBlock === undefined) return answer;
      const span = Number(filter.toBlock) - Number(filter.fromBlock) + 1;
      spans.push(span);
      if (span <= 40) return answer;
      return {
        jsonrpc: '2.0',
        id: answer.id,
        error: { code: -32005, message: 'query returned more than 10000 results' },
      };
    };
    await chain.anvil.rpc('anvil_mine', '0x12c');
    const tree = await market.hired(buyer, worker);
    const app = await open({ rpcUrl: proxy.url, indexerEnabled: true });
    await eventually(async () => (await market.nodeStates(tree.taskId))[1] === 'funded', 30_000);
    expect(Math.max(...spans)).toBeGreaterThan(40);
    const small = spans.findIndex((span) => span <= 40);
    expect(spans.slice(small + 1).some((span) => span > spans[small]!)).toBe(true);
    await eventually(() => app.status.lagBlocks === 0);
  });
});
