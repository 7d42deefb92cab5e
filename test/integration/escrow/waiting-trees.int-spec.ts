import { AsyncLocalStorage } from 'node:async_hooks';
import type { DataSource } from 'typeorm';
import type { Hex } from '../../../libs/kernel/src/index.js';
import { ScriptedChain } from '../../../src/dev/bench/indexer/scripted-chain.js';
import { SCRIPTED_FACTORY } from '../../../src/dev/bench/indexer/scripted-contracts.js';
import { ScriptedTree } from '../../../src/dev/bench/indexer/scripted-tree.js';
import { IndexWriter } from '../../../src/modules/escrow/indexer/index-writer.js';
import { IndexerService } from '../../../src/modules/escrow/indexer/indexer.service.js';
import { TreePublisher } from '../../../src/modules/escrow/publication/tree-publisher.js';
import { TreesWaiting } from '../../../src/modules/escrow/publication/trees-waiting.js';
import { StatisticsRunner } from '../../../src/modules/matching/search-tables/settled-briefs/statistics.runner.js';
import { ReputationService } from '../../../src/modules/reputation/reputation.service.js';
import { ChainUnavailableError } from '../../../src/platform/chain/rpc/chain-unavailable.error.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { DomainEvents } from '../../../src/modules/events/domain-events.js';
import { createMigratedDatabase } from '../../support/database.js';
import { copyOwnRecords, derivedState } from '../../support/derived-state.js';
import { randomWallet } from '../../support/random-wallet.js';
import { RpcProxy } from '../../support/rpc-proxy.js';
import { TestService } from '../../support/test-service.js';
import { MarketRows } from '../../support/market-rows.js';

jest.setTimeout(120_000);

const CHAIN_ID = 31337;
const AMOUNT = 1_000_000n;

interface Draft {
  taskId: string;
  tree: ScriptedTree;
}

let chain: ScriptedChain;
let databaseUrl: string;
let dataSource: DataSource;
let rows: MarketRows;
let buyerId: string;
let worker: Hex;
let proxy: RpcProxy | undefined;
const opened: TestService[] = [];

beforeEach(async () => {
  chain = await ScriptedChain.start(CHAIN_ID, Math.floor(Date.now() / 1000) - 100_000);
  ({ url: databaseUrl, dataSource } = await createMigratedDatabase());
  rows = new MarketRows(dataSource);
  buyerId = await rows.account('Buyer', addressOf());
  worker = addressOf();
  await rows.agent(await rows.account('Worker', worker), worker);
});

afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
  await dataSource?.destroy();
  await proxy?.stop();
  await chain?.stop();
});

const addressOf = () => randomWallet().address as Hex;
const countOf = async (sql: string): Promise<number> =>
  (await dataSource.query<{ count: number }[]>(`SELECT count(*)::integer AS count FROM ${sql}`))[0]!.count;

async function open(url = databaseUrl, rpcUrl = chain.url): Promise<TestService> {
  const app = await TestService.start(url, { rpcUrl, escrowFactoryAddress: SCRIPTED_FACTORY });
  opened.push(app);
  return app;
}

async function draft(): Promise<Draft> {
  const [escrow, buyer] = [addressOf(), addressOf()];
  const change = { status: 'draft' as const, escrowAddress: escrow, buyerWallet: buyer };
  const { id: taskId } = await rows.task(buyerId, change);
  return { taskId, tree: new ScriptedTree({ taskId, factory: SCRIPTED_FACTORY, escrow, buyer }) };
}

/** One after the other: several hundred at once would wait for connections longer than the pool lets them. */
async function draftsOf(count: number): Promise<Draft[]> {
  const drafts: Draft[] = [];
  while (drafts.length < count) drafts.push(await draft());
  return drafts;
}

const hire = ({ tree }: Draft) => chain.mine([tree.created(), tree.funded(1n, worker, AMOUNT)]);
const settle = ({ tree }: Draft) => chain.mine([tree.delivered(1n), tree.accepted(1n, AMOUNT)]);

/** Everything that an index derives when it begins with an empty database. */
async function rebuilt(): Promise<Record<string, unknown[]>> {
  const fresh = await createMigratedDatabase();
  try {
    await copyOwnRecords(dataSource, fresh.dataSource);
    const app = await open(fresh.url);
    await app.index();
    await app.get(StatisticsRunner).refresh(true);
    return await derivedState(fresh.dataSource);
  } finally {
    await opened.pop()?.close();
    await fresh.dataSource.destroy();
  }
}

it('the first of many blocks are written while the next are read', async () => {
  const app = await open();
  for (let n = 0; n < 400; n += 1) chain.mine([]);
  await app.get(IndexerService).advance();
  const first = (await app.get(IndexWriter).tip())?.number ?? 0;
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(chain.head);
  await app.index();
  expect((await app.get(IndexWriter).tip())?.number).toBe(chain.head);
});

it('waiting trees are published in two transactions at a time', async () => {
  const app = await open();
  for (const one of await draftsOf(150)) hire(one);
  await app.get(IndexerService).advance();
  expect(await countOf('unpublished_trees')).toBe(100);

  // Each transaction waits in its middle until the other has come that far. If they ran one after the other, neither
  // would go on.
  let inside = 0;
  let meet = (): void => undefined;
  const both = new Promise<void>((resolve) => (meet = resolve));
  app.get(DomainEvents).on('trees_changed', async () => {
    inside += 1;
    if (inside === 2) meet();
    await both;
  });
  await app.index();
  expect(await countOf('unpublished_trees')).toBe(0);
  expect(await countOf(`escrow_nodes WHERE state = 'funded'`)).toBe(150);
});

it('what the chain says of a tree while it is published is shown next', async () => {
  const outside = AsyncLocalStorage.snapshot();
  const [app, other] = [await open(), await open()];
  const drafts = await draftsOf(120);
  drafts.forEach(hire);
  await app.get(IndexerService).advance();
  const waiting = await dataSource.query<{ task_id: string }[]>('SELECT task_id FROM unpublished_trees');
  const waitingIds = new Set(waiting.map(({ task_id }) => task_id));
  expect(waitingIds.size).toBe(70);

  // While this process publishes some of the waiting trees, another one appends facts of all of them, more than are
  // published at once.
  jest.spyOn(other.get(TreesWaiting), 'publish').mockResolvedValue(false);
  let isTold = false;
  app.get(DomainEvents).on('trees_changed', async () => {
    if (isTold) return;
    isTold = true;
    drafts.filter(({ taskId }) => waitingIds.has(taskId)).forEach(settle);
    await outside(() => other.get(IndexerService).advance());
  });
  await app.get(IndexerService).advance();
  expect(await countOf(`unpublished_trees`)).toBe(70);
  await app.index();
  expect(await countOf('unpublished_trees')).toBe(0);
  expect(await countOf('receipts')).toBe(70);
});

it('what is stored is shown while the chain cannot be asked, and the index goes on when it can', async () => {
  proxy = await RpcProxy.start(chain.url);
  const app = await open(databaseUrl, proxy.url);
  const indexer = app.get(IndexerService);
  const drafts = await draftsOf(150);
  drafts.forEach(hire);
  await indexer.advance();
  expect(await countOf('unpublished_trees')).toBe(100);
  let caughtUp = 0;
  app.get(DomainEvents).on('trees_caught_up', async () => void (caughtUp += 1));

  proxy.mode = 'refuse';
  await expect(indexer.advance()).rejects.toThrow(ChainUnavailableError);
  expect([await countOf('unpublished_trees'), await countOf(`escrow_nodes WHERE state = 'funded'`)]).toEqual([0, 150]);
  await expect(indexer.advance()).rejects.toThrow(ChainUnavailableError);
  expect(caughtUp).toBe(1);

  proxy.mode = 'pass';
  settle(drafts[0]!);
  await app.index();
  expect(await countOf('receipts')).toBe(1);
});

it('a reorganisation while more than 50 trees wait leaves what a rebuild finds', async () => {
  const app = await open();
  const [early, late] = [await draftsOf(70), await draftsOf(70)];
  early.forEach(hire);
  late.forEach(hire);
  early.forEach(settle);
  await app.get(IndexerService).advance();
  expect(await countOf('unpublished_trees')).toBeGreaterThan(50);
  const shown = await countOf('receipts');

  // The later trees were never created; the earlier ones have got no further than a delivery.
  chain.drop(140);
  early.forEach(({ tree }) => chain.mine([tree.delivered(1n)]));
  for (let block = 0; block < 80; block += 1) chain.mine([]);
  await app.index();
  expect(shown).toBeGreaterThan(0);
  expect(await countOf('receipts')).toBe(0);
  expect(await countOf(`escrow_nodes WHERE state = 'delivered'`)).toBe(70);
  expect(await countOf('unpublished_trees')).toBe(0);
  await app.get(StatisticsRunner).refresh(true);
  const state = await derivedState(dataSource);
  expect(state).toEqual(await rebuilt());
});

it('of an index that stands still only its end is asked, until a tree is marked or some seconds are over', async () => {
  const app = await open();
  const one = await draft();
  hire(one);
  await app.index();
  let asked = 0;
  app.get(DomainEvents).on('trees_caught_up', async () => void (asked += 1));
  const indexer = app.get(IndexerService);
  for (let poll = 0; poll < 3; poll += 1) expect(await indexer.advance()).toBe('idle');
  expect(asked).toBe(0);

  await dataSource.query(
    `INSERT INTO unpublished_trees (task_id, block_number, is_apart, version, retry_at, created_at)
     VALUES ($1, 0, false, 1, now() - interval '1 day', now())`,
    [one.taskId],
  );
  expect(await indexer.advance()).toBe('again');
  expect(await countOf('unpublished_trees')).toBe(0);
  expect([await indexer.advance(), asked]).toEqual(['idle', 1]);

  const later = performance.now() + 3_000;
  const clock = jest.spyOn(performance, 'now').mockReturnValue(later);
  await indexer.advance();
  clock.mockRestore();
  expect(asked).toBe(2);
});

it('records that were left while very many trees waited are made in the end, also by another process', async () => {
  const app = await open();
  const lives = (await draftsOf(610)).map(({ tree }) => [
    tree.created(),
    tree.funded(1n, worker, AMOUNT),
    tree.delivered(1n),
    tree.accepted(1n, AMOUNT),
  ]);
  for (let from = 0; from < lives.length; from += 10) chain.mine(lives.slice(from, from + 10).flat());
  const records = () => dataSource.query('SELECT * FROM reputation_records');
  await app.get(IndexerService).advance();
  expect(await countOf('unpublished_trees')).toBe(560);
  await app.get(IndexerService).advance();
  expect([await countOf('unpublished_trees'), await countOf('settlements')]).toEqual([60, 550]);
  // Counts only the first fifty: later settlements wait until the index has caught up.
  expect(await records()).toMatchObject([{ settlements: 50 }]);
  await opened.pop()?.close();

  const next = await open();
  await next.index();
  expect(await countOf('evidence_changes WHERE is_record_due')).toBe(0);
  const made = await records();
  expect(made).toMatchObject([{ settlements: 610 }]);
  await next.get(Transactions).run((manager) => next.get(ReputationService).rebuild(manager, [made[0].agent_id]));
  expect(await records()).toEqual(made);
});

it('the index catches up from many waiting trees until none waits', async () => {
  const app = await open();
  const told: boolean[] = [];
  jest.spyOn(app.get(TreePublisher), 'publish').mockImplementation(async (_, __, isCatchingUp = false) => {
    told.push(isCatchingUp);
    return [];
  });
  const mark = (trees: number) =>
    dataSource.query(
      `INSERT INTO unpublished_trees (task_id, block_number, is_apart, version, retry_at, created_at)
       SELECT 'task_' || n, 0, false, 1, now() - interval '1 day', now() FROM generate_series(1, $1::integer) AS n`,
      [trees],
    );
  const waiting = app.get(TreesWaiting);
  await mark(600);
  for (const isMore of [true, true, false]) expect(await waiting.publish(10)).toBe(isMore);
  expect(told).toEqual(Array.from({ length: 12 }, () => true));
  await mark(100);
  expect(await waiting.publish(10)).toBe(true);
  expect(told.slice(12)).toEqual([false, false]);
});
