import { NOTE_DEADLINES } from '../../../src/modules/escrow/told/node-deadlines.sql.js';
import { DeadlinesSweeper } from '../../../src/modules/escrow/told/deadlines.sweeper.js';
import type { ChainMarket } from '../../support/chain-market.js';
import { eventually } from '../../support/eventually.js';
import { IndexFixture } from '../../support/index-fixture.js';
import { type HiredTree, type IndexedMarket, nodeId, type Party } from '../../support/indexed-market.js';
import { costOf, planOf } from '../../support/query-plan.js';
import type { TestService } from '../../support/test-service.js';

const HOUR = 3_600;
const DAY = 24 * HOUR;

const fixture = new IndexFixture();
let chain: ChainMarket;
let market: IndexedMarket;
let app: TestService;
let buyer: Party;
let worker: Party;
let other: Party;

beforeEach(async () => {
  ({ chain, market, buyer, worker, other } = fixture);
  app = await fixture.open();
});

/** The time of the newest block, in seconds; the service's clock is set to it. */
async function chainTime(): Promise<number> {
  const block = await chain.anvil.rpc<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false);
  app.clock.aheadMs = Number(block.timestamp) * 1000 - Date.now();
  return Number(block.timestamp);
}

/** Makes a block at this time, in seconds, reads it, and tells what is due. */
async function at(seconds: number): Promise<void> {
  await chain.anvil.rpc('evm_setNextBlockTimestamp', Math.floor(seconds));
  await chain.anvil.mine();
  await tell();
}

async function tell(): Promise<void> {
  await app.index();
  await chainTime();
  await app.get(DeadlinesSweeper).sweep();
}

/** A root node with terms of its own, funded, and read by the index. */
async function hired(own: { acceptWindow?: number; maxRevisions?: number } = {}): Promise<HiredTree> {
  const tree = await market.draft(buyer);
  await chain.create(tree);
  const root = { ...chain.terms({ nodeId: 1n, worker: worker.wallet.address, amount: 100_000_000n }), ...own };
  const { id: quoteId, ...quote } = await market.quote(tree, root, worker, buyer);
  await chain.fund(tree, root, worker.wallet, quote);
  await tell();
  return { ...tree, root, quoteId };
}

async function timesOf({ taskId }: HiredTree, path = 1n): Promise<{ deliverBy: number; clock: number }> {
  const [row] = await market.dataSource.query<{ delivery_deadline: Date; clock: Date }[]>(
    'SELECT delivery_deadline, clock FROM escrow_nodes WHERE id = $1',
    [nodeId(taskId, path)],
  );
  return { deliverBy: row!.delivery_deadline.getTime() / 1000, clock: row!.clock.getTime() / 1000 };
}

/** The events of deadlines in the log, those of one reader. */
async function deadlines(reader: Party = buyer): Promise<any[]> {
  await eventually(async () => (await market.dataSource.query<unknown[]>('SELECT FROM event_outbox')).length === 0);
  const rows = await market.dataSource.query<{ document: string }[]>(
    `SELECT document FROM events JOIN event_audience USING (sequence)
     WHERE account_id = $1 AND event_audience.type LIKE 'node.deadline_%' ORDER BY sequence`,
    [reader.accountId],
  );
  return rows.map(({ document }) => JSON.parse(document));
}

/** What the events say, in short: `24 deliver 1` is a warning about node 1, `over reject 1` an end. */
async function brief(reader?: Party): Promise<string[]> {
  return (await deadlines(reader)).map(
    ({ subject, data }) => `${data.hours ?? 'over'} ${data.until_then} ${subject.id.split('_')[2]}`,
  );
}

describe('the deadline of a node', () => {
  it('is told a day before, an hour before and once it is over, each once, to those that see the node', async () => {
    const tree = await hired();
    const { deliverBy } = await timesOf(tree);
    await at(deliverBy - DAY);
    expect(await brief()).toEqual([]);
    await at(deliverBy - DAY + 1);
    await tell();
    const [warning] = await deadlines(worker);
    expect(warning).toMatchObject({
      type: 'node.deadline_approaching',
      subject: { kind: 'node', id: nodeId(tree.taskId, 1n), task_id: tree.taskId },
      data: {
        deadline: new Date(deliverBy * 1000).toISOString(),
        until_then: 'deliver',
        hours: 24,
        state: 'funded',
        effective_state: 'funded',
        amount: { amount: '100.00', currency: 'USDC' },
      },
    });
    expect(warning.chain).toBeUndefined();
    await at(deliverBy - HOUR + 1);
    // Until the deadline itself the worker may deliver.
    await at(deliverBy);
    expect(await brief()).toEqual(['24 deliver 1', '1 deliver 1']);
    await at(deliverBy + 1);
    await at(deliverBy + 90 * DAY);
    for (const who of [buyer, worker])
      expect(await brief(who)).toEqual(['24 deliver 1', '1 deliver 1', 'over deliver 1']);
    expect(await brief(other)).toEqual([]);
  });

  it('is told as it stands after a downtime: the last warning, or the end alone', async () => {
    const [first, second] = [await hired(), await hired()];
    const ends = [(await timesOf(first)).deliverBy, (await timesOf(second)).deliverBy];
    await chain.deliver(first, 1n, worker.wallet);
    await chain.reject(first, 1n, buyer.wallet);
    await at(ends[0]! - HOUR / 2);
    // Of the first, rejected and without an arbiter, the time to deliver again is the time to contest.
    expect((await brief()).toSorted()).toEqual(['1 deliver 1', '1 deliver 1']);
    const third = await hired();
    await at((await timesOf(third)).deliverBy + 3 * DAY);
    expect((await brief()).slice(2)).toEqual(['over deliver 1', 'over deliver 1', 'over deliver 1']);
    expect(
      (await deadlines())
        .slice(2)
        .map(({ data }): string => data.effective_state)
        .toSorted(),
    ).toEqual(['funded', 'funded', 'refunded']);
  });

  it('follows the state: after a delivery it is that of the answer, and silence has decided when it is over', async () => {
    const tree = await hired();
    await chain.deliver(tree, 1n, worker.wallet);
    await tell();
    const { clock, deliverBy } = await timesOf(tree);
    await at(clock - HOUR - 1);
    await at(clock + 1);
    await at(deliverBy + 1);
    expect(await brief()).toEqual(['24 reject 1', 'over reject 1']);
    expect((await deadlines()).at(-1).data).toMatchObject({ state: 'delivered', effective_state: 'released' });
  });

  it('warns of no time that was no longer from the beginning', async () => {
    const tree = await hired({ acceptWindow: DAY });
    await chain.deliver(tree, 1n, worker.wallet);
    await tell();
    const { clock } = await timesOf(tree);
    expect(await brief()).toEqual([]);
    await at(clock - HOUR + 1);
    expect(await brief()).toEqual(['1 reject 1']);
  });

  it('is not told while the index does not know how it ended', async () => {
    const tree = await hired();
    const { deliverBy } = await timesOf(tree);
    await chain.deliver(tree, 1n, worker.wallet);
    // Our clock says that it is over; the block of the delivery is not read yet.
    app.clock.aheadMs += 31 * DAY * 1000;
    await app.get(DeadlinesSweeper).sweep();
    expect(await brief()).toEqual([]);
    await at(deliverBy + 1);
    expect(await brief()).toEqual(['over reject 1']);
  });

  it('is left for the next round while somebody publishes the tree', async () => {
    const tree = await hired();
    await app.index();
    const { deliverBy } = await timesOf(tree);
    const publisher = market.dataSource.createQueryRunner();
    await publisher.startTransaction();
    await publisher.query('SELECT FROM tasks WHERE id = $1 FOR UPDATE', [tree.taskId]);
    await at(deliverBy + 1);
    expect(await brief()).toEqual([]);
    await publisher.rollbackTransaction();
    await publisher.release();
    await tell();
    expect(await brief()).toEqual(['over deliver 1']);
  });

  it('is gone with the money of the node above', async () => {
    const tree = await hired({ maxRevisions: 0 });
    const child = await market.hireBelow(tree, 2, worker, other, 40_000_000n);
    await tell();
    const { deliverBy } = await timesOf(tree, child.nodeId);
    await chain.deliver(tree, 1n, worker.wallet);
    await chain.reject(tree, 1n, buyer.wallet);
    await at(deliverBy + 1);
    expect(await brief(other)).toEqual([]);
  });

  it('is told of what the new blocks say when the chain replaces the old ones', async () => {
    const tree = await hired();
    const { deliverBy } = await timesOf(tree);
    const snapshot = await chain.anvil.rpc('evm_snapshot');
    await chain.deliver(tree, 1n, worker.wallet);
    await tell();
    await at((await timesOf(tree)).clock - HOUR / 2);
    expect(await brief()).toEqual(['1 reject 1']);
    await chain.anvil.rpc('evm_revert', snapshot);
    await chain.anvil.mine(3);
    await tell();
    await at(deliverBy - HOUR - 1);
    await at(deliverBy + 1);
    expect(await brief()).toEqual(['1 reject 1', '24 deliver 1', 'over deliver 1']);
  });

  it('is not told again by an index that is made again', async () => {
    const tree = await hired();
    const { deliverBy } = await timesOf(tree);
    await at(deliverBy - HOUR + 1);
    await market.dataSource.query(
      `TRUNCATE chain_facts, chain_blocks, escrow_trees, escrow_nodes, deliveries, receipts, settlements, payouts;
       DELETE FROM task_parties WHERE role IN ('hirer', 'worker')`,
    );
    await fixture.close(app);
    app = await fixture.open();
    await tell();
    await at(deliverBy + 1);
    expect(await brief()).toEqual(['1 deliver 1', 'over deliver 1']);
  });
});

it('what is due is found by an index, however many nodes wait or are over', async () => {
  const tree = await hired();
  await market.dataSource.query(
    // Without the sums of earnings, which triggers keep.
    `SET session_replication_role = replica;
     INSERT INTO escrow_nodes SELECT other.* FROM generate_series(2, 20000) i, escrow_nodes node, jsonb_populate_record(node, jsonb_build_object('id', node.id || i, 'path', i::text,
        'state', (ARRAY['released', 'funded', 'delivered', 'rejected'])[1 + i % 4],
        'told_delivery', CASE i % 8 WHEN 1 THEN node.delivery_deadline END,
        'delivery_deadline', node.delivery_deadline + CASE i % 8 WHEN 1 THEN interval '0' ELSE interval '1 year' END,
        'clock', node.clock + interval '2 years')) other;
     SET session_replication_role = DEFAULT`,
  );
  await market.dataSource.query('VACUUM ANALYZE escrow_nodes');
  const { deliverBy } = await timesOf(tree);
  await chain.anvil.rpc('evm_setNextBlockTimestamp', deliverBy + 1);
  await chain.anvil.mine();
  await app.index();
  for (const [index, { text }] of NOTE_DEADLINES.entries()) {
    const now = new Date((deliverBy + 1) * 1000);
    const plan = await planOf(market.dataSource, text, [now], []);
    expect(plan.scanned).not.toContain('escrow_nodes');
    expect(plan.scans.join()).toMatch(/using escrow_nodes_next_(?:delivery|clock)_told_idx on escrow_nodes/);
    const cost = await costOf(market.dataSource, text, [now]);
    // The first execution has noted the node of the tree in the same transaction.
    expect([index, cost.rows]).toEqual([index, 0]);
    expect(cost.buffers).toBeLessThan(60);
  }
});
