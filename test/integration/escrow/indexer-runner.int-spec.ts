import { Metrics } from '../../../src/platform/metrics/metrics.js';
import { ChainMarket } from '../../support/chain-market.js';
import { eventually } from '../../support/eventually.js';
import { IndexFixture } from '../../support/index-fixture.js';
import { IndexedMarket, type Party } from '../../support/indexed-market.js';

const fixture = new IndexFixture();
let chain: ChainMarket;
let market: IndexedMarket;
let buyer: Party;
let worker: Party;

beforeEach(() => {
  ({ chain, market, buyer, worker } = fixture);
});

describe('one runner', () => {
  it('among two processes; when it is killed the other takes over within seconds', async () => {
    const child = await fixture.process();
    const tree = await market.hired(buyer, worker);
    await eventually(async () => (await market.nodeStates(tree.taskId))[1] === 'funded');
    const app = await fixture.open({ indexerEnabled: true });
    await eventually(() => app.indexerStatus.headBlock !== null);
    expect(app.indexerStatus.runner).toBe(false);
    await chain.deliver(tree, 1n, worker.wallet);
    await eventually(async () => (await market.nodeStates(tree.taskId))[1] === 'delivered');
    expect(app.indexerStatus.runner).toBe(false);

    child.kill('SIGKILL');
    await chain.resolve(tree, tree.root, buyer.wallet);
    await eventually(async () => (await market.nodeStates(tree.taskId))[1] === 'released', 20_000);
    expect(app.indexerStatus.runner).toBe(true);
    await eventually(() => app.indexerStatus.lagBlocks === 0 && app.indexerStatus.lastError === null);
  });

  it('hands over when it stops, and stops within the step', async () => {
    const first = await fixture.open({ indexerEnabled: true, chainPollMs: 60_000 });
    await eventually(() => first.indexerStatus.runner);
    const second = await fixture.open({ indexerEnabled: true });
    await eventually(() => second.indexerStatus.headBlock !== null);
    const stoppedAt = Date.now();
    await first.close();
    // It stops without sleeping to the end of its minute.
    expect(Date.now() - stoppedAt).toBeLessThan(20_000);
    await eventually(() => second.indexerStatus.runner);
  });

  it('loses its place when its lock connection breaks, and gets one again', async () => {
    const app = await fixture.open({ indexerEnabled: true });
    await eventually(() => app.indexerStatus.runner);
    await market.dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'tasktree-indexer' AND datname = current_database()`,
    );
    const tree = await market.hired(buyer, worker);
    await eventually(async () => (await market.nodeStates(tree.taskId))[1] === 'funded');
    await eventually(() => app.indexerStatus.runner && app.indexerStatus.lastError === null);
  });
});

describe('a chain that is away', () => {
  it.each(['refuse', 'error'] as const)(
    '(%s) stops the index, which goes on by itself when it is back',
    async (mode) => {
      const proxy = await fixture.proxied();
      const app = await fixture.open({ rpcUrl: proxy.url, indexerEnabled: true });
      await eventually(() => app.indexerStatus.runner && app.indexerStatus.lagBlocks === 0);
      proxy.mode = mode;
      await eventually(() => app.indexerStatus.lastError !== null);
      expect(app.indexerStatus.lastError).not.toContain(proxy.url);
      expect(await app.get(Metrics).text()).toMatch(/^indexer_failing 1$/m);
      const tree = await market.hired(buyer, worker);
      expect(await market.nodeStates(tree.taskId)).toEqual({});
      proxy.mode = 'pass';
      await eventually(async () => (await market.nodeStates(tree.taskId))[1] === 'funded');
      await eventually(() => app.indexerStatus.lastError === null);
    },
  );

  it('only for large ranges is read in smaller ones, which grow again', async () => {
    const proxy = await fixture.proxied();
    // More than are read block by block.
    const LIMIT = 100;
    const spans: number[] = [];
    proxy.tamper = ({ method, params }, answer) => {
      const filter = params[0] as { fromBlock?: string; toBlock?: string };
      if (method !== 'eth_getLogs' || filter.fromBlock === undefined) return answer;
      const span = Number(filter.toBlock) - Number(filter.fromBlock) + 1;
      spans.push(span);
      if (span <= LIMIT) return answer;
      return {
        jsonrpc: '2.0',
        id: answer.id,
        error: { code: -32005, message: 'query returned more than 10000 results' },
      };
    };
    await chain.anvil.rpc('anvil_mine', '0x12c');
    const tree = await market.hired(buyer, worker);
    const app = await fixture.open({ rpcUrl: proxy.url, indexerEnabled: true });
    await eventually(async () => (await market.nodeStates(tree.taskId))[1] === 'funded', 30_000);
    expect(Math.max(...spans)).toBeGreaterThan(LIMIT);
    const small = spans.findIndex((span) => span <= LIMIT);
    expect(spans.slice(small + 1).some((span) => span > spans[small]!)).toBe(true);
    await eventually(() => app.indexerStatus.lagBlocks === 0);
  });
});
