import type { Hex } from '../../../libs/kernel/src/index.js';
import { ScriptedChain } from '../../../src/dev/bench/indexer/scripted-chain.js';
import { SCRIPTED_FACTORY } from '../../../src/dev/bench/indexer/scripted-contracts.js';
import { ScriptedTree } from '../../../src/dev/bench/indexer/scripted-tree.js';
import { StatisticsRunner } from '../../../src/modules/matching/search-tables/settled-briefs/statistics.runner.js';
import { IndexerService } from '../../../src/modules/escrow/indexer/indexer.service.js';
import { ChainUnavailableError } from '../../../src/platform/chain/rpc/chain-unavailable.error.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { INDEXED_TIME } from '../../../src/platform/chain/indexed-time.sql.js';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import { Clock } from '../../../src/platform/time/clock.js';
import { createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { derivedState } from '../../support/derived-state.js';
import { randomWallet } from '../../support/random-wallet.js';
import { TestService } from '../../support/test-service.js';
import { MarketRows } from '../../support/market-rows.js';
import { runTool } from '../../support/tool-run.js';
import type { DataSource } from 'typeorm';

jest.setTimeout(300_000);

const CHAIN_ID = 31337;
const AMOUNT = 1_000_000n;

let chain: ScriptedChain;
let databaseUrl: string;
let dataSource: DataSource;
let rows: MarketRows;
let app: TestService;
let buyerId: string;
let worker: Hex;

beforeEach(async () => {
  chain = await ScriptedChain.start(CHAIN_ID, Math.floor(Date.now() / 1000) - 100_000);
  ({ url: databaseUrl, dataSource } = await createMigratedDatabase());
  rows = new MarketRows(dataSource);
  buyerId = await rows.account('Buyer', randomWallet().address);
  worker = addressOf();
  await rows.agent(await rows.account('Worker', worker), worker);
  app = await open();
});

afterEach(async () => {
  await app?.close();
  await dataSource?.destroy();
  await chain?.stop();
});

const open = () => TestService.start(databaseUrl, { rpcUrl: chain.url, escrowFactoryAddress: SCRIPTED_FACTORY });
const addressOf = () => randomWallet().address as Hex;
const one = async <Row>(sql: string, values: unknown[] = []): Promise<Row> =>
  (await dataSource.query<Row[]>(sql, values))[0]!;
const nodesOf = async (taskId: string, state = '%'): Promise<number> => {
  const sql = 'SELECT count(*)::integer AS count FROM escrow_nodes WHERE task_id = $1 AND state LIKE $2';
  return (await one<{ count: number }>(sql, [taskId, state])).count;
};
const asideOf = (taskId: string) =>
  one<{ attempts: number; reason: string } | undefined>('SELECT * FROM unpublished_trees WHERE task_id = $1', [taskId]);

async function draft(): Promise<{ taskId: string; tree: ScriptedTree }> {
  const [escrow, buyer] = [addressOf(), addressOf()];
  const change = { status: 'draft' as const, escrowAddress: escrow, buyerWallet: buyer };
  const { id: taskId } = await rows.task(buyerId, change);
  return { taskId, tree: new ScriptedTree({ taskId, factory: SCRIPTED_FACTORY, escrow, buyer }) };
}

/** Makes the database refuse every write to nodes of a task. */
async function refuse(taskId: string, code = 'P0001'): Promise<void> {
  await dataSource.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.task_id = '${taskId}' THEN RAISE EXCEPTION 'not this one' USING ERRCODE = '${code}'; END IF;
    RETURN NEW; END $$`);
  await dataSource.query('CREATE TRIGGER refuse BEFORE INSERT ON escrow_nodes FOR EACH ROW EXECUTE FUNCTION refuse()');
}

const allow = () => dataSource.query('DROP TRIGGER refuse ON escrow_nodes');

describe('a tree that cannot be projected', () => {
  it('is set aside with its reason while all others are indexed, and is shown once it can be', async () => {
    const [bad, good, other] = [await draft(), await draft(), await draft()];
    await refuse(bad.taskId);
    const started = [bad, good, other].flatMap(({ tree }) => [tree.created(), tree.funded(1n, worker, AMOUNT)]);
    chain.mine(started);
    await app.index();
    expect([await nodesOf(good.taskId), await nodesOf(other.taskId), await nodesOf(bad.taskId)]).toEqual([1, 1, 0]);
    expect(await asideOf(bad.taskId)).toMatchObject({ attempts: 1, reason: expect.stringContaining('not this one') });
    const facts = 'SELECT count(*)::integer AS count FROM chain_facts WHERE task_id = $1';
    expect(await one(facts, [bad.taskId])).toEqual({ count: 2 });
    expect(await one('SELECT chain_status, status FROM tasks WHERE id = $1', [bad.taskId])).toEqual({
      chain_status: null,
      status: 'draft',
    });

    // Other trees go on, and the one set aside is counted.
    chain.mine([good.tree.delivered(1n)]);
    await app.index();
    expect(await nodesOf(good.taskId, 'delivered')).toBe(1);
    expect(await app.get(Metrics).text()).toMatch(/^indexer_set_aside_trees 1$/m);

    await allow();
    expect(await nodesOf(bad.taskId)).toBe(0);
    const listed = await runTool(app.get(Environment), 'trees', 'list');
    expect(listed).toMatchObject({ code: 0, out: expect.stringContaining(bad.taskId) });
    expect(listed.out).toContain('not this one');
    expect(listed.out).toContain('1 set aside, 0 waiting');
    expect(await runTool(app.get(Environment), 'trees', 'retry', bad.taskId)).toMatchObject({ code: 0, err: '' });
    await eventually(async () => {
      await app.index();
      return (await nodesOf(bad.taskId, 'funded')) === 1;
    });
    expect(await asideOf(bad.taskId)).toBeUndefined();
    await app.index();
    expect(await app.get(Metrics).text()).toMatch(/^indexer_set_aside_trees 0$/m);
    const refused = await runTool(app.get(Environment), 'trees', 'retry', bad.taskId);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('No tree of a task') });
  });

  it('is tried again with its next fact, and by itself after a while', async () => {
    const [bad, slow] = [await draft(), await draft()];
    await refuse(bad.taskId);
    chain.mine([bad.tree.created(), bad.tree.funded(1n, worker, AMOUNT)]);
    await app.index();
    await allow();
    chain.mine([bad.tree.delivered(1n)]);
    await eventually(async () => {
      await app.index();
      return (await nodesOf(bad.taskId, 'delivered')) === 1;
    });

    await dataSource.query('DROP FUNCTION refuse');
    await refuse(slow.taskId);
    chain.mine([slow.tree.created(), slow.tree.funded(1n, worker, AMOUNT)]);
    await app.index();
    await allow();
    await app.index();
    expect(await nodesOf(slow.taskId)).toBe(0);
    const clock = jest.spyOn(app.get(Clock), 'nowMs').mockReturnValue(Date.now() + 60_000);
    await eventually(async () => {
      await app.index();
      return (await nodesOf(slow.taskId)) === 1;
    });
    clock.mockRestore();
  });

  it('is tried again while the chain cannot be asked', async () => {
    const bad = await draft();
    await refuse(bad.taskId);
    chain.mine([bad.tree.created(), bad.tree.funded(1n, worker, AMOUNT)]);
    await app.index();
    await allow();
    await chain.stop();
    const clock = jest.spyOn(app.get(Clock), 'nowMs').mockReturnValue(Date.now() + 60_000);
    await expect(app.index()).rejects.toThrow(ChainUnavailableError);
    await app.get(IndexerService).settled();
    clock.mockRestore();
    expect(await nodesOf(bad.taskId)).toBe(1);
  });

  it('does not take a tree for bad when the database is', async () => {
    const tree = await draft();
    await refuse(tree.taskId, '40P01');
    chain.mine([tree.tree.created(), tree.tree.funded(1n, worker, AMOUNT)]);
    await expect(app.index()).rejects.toThrow('not this one');
    expect(await asideOf(tree.taskId)).toBeUndefined();
    expect(await one('SELECT count(*)::integer AS count FROM chain_facts')).toEqual({ count: 0 });
    await allow();
    await app.index();
    expect(await nodesOf(tree.taskId)).toBe(1);
  });
});

describe('a range with more trees than are published at once', () => {
  it('shows each wholly or not at all, goes on after a stop, and ends as if it had come block by block', async () => {
    const drafts = await Promise.all(Array.from({ length: 120 }, () => draft()));
    for (const { tree } of drafts) chain.mine([tree.created(), tree.funded(1n, worker, AMOUNT)]);
    for (const { tree } of drafts) chain.mine([tree.delivered(1n), tree.accepted(1n, AMOUNT)]);
    const indexer = app.get(IndexerService);
    expect(await indexer.advance()).toBe('again');
    // All facts are written but only some trees are shown, and the block that the index reports counts only what is
    // shown.
    expect(await one('SELECT count(*)::integer AS count FROM chain_facts')).toEqual({ count: 120 * 4 });
    const shown = await dataSource.query<{ nodes: number; receipts: number; status: string }[]>(
      `SELECT status, (SELECT count(*)::integer FROM escrow_nodes n WHERE n.task_id = t.id) AS nodes,
         (SELECT count(*)::integer FROM receipts r WHERE r.task_id = t.id) AS receipts FROM tasks t`,
    );
    const states = new Set(shown.map(({ nodes, receipts, status }) => `${status} ${nodes} ${receipts}`));
    expect(states).toEqual(new Set(['draft 0 0', 'resolved 1 1']));
    await indexer.poll();
    expect(app.indexerStatus).toMatchObject({ waitingTrees: 70, indexedBlock: -1 });
    // Until then nothing is deleted on the ground that it has not happened on the chain.
    const past = `SELECT ${INDEXED_TIME} > '-infinity' AS past`;
    expect(await one(past)).toEqual({ past: false });

    await app.close();
    app = await open();
    await app.index();
    expect(await one('SELECT count(*)::integer AS count FROM receipts')).toEqual({ count: 120 });
    expect(await one('SELECT count(*)::integer AS count FROM unpublished_trees')).toEqual({ count: 0 });
    await app.get(IndexerService).poll();
    expect(app.indexerStatus).toMatchObject({ waitingTrees: 0, indexedBlock: chain.head });
    expect(await one(past)).toEqual({ past: true });

    // Now publishes the same facts one tree at a time. The words of many briefs follow a moment later, so they are
    // refreshed first.
    await app.get(StatisticsRunner).refresh(true);
    const before = await derivedState(dataSource);
    for (const { taskId } of drafts) {
      await dataSource.query(
        `INSERT INTO unpublished_trees (task_id, block_number, is_apart, retry_at, created_at)
         VALUES ($1, 1, true, now(), now())`,
        [taskId],
      );
    }
    await dataSource.query('DELETE FROM escrow_nodes');
    await dataSource.query('DELETE FROM deliveries');
    await dataSource.query('DELETE FROM receipts');
    await eventually(async () => {
      await app.index();
      return (await one<{ count: number }>('SELECT count(*)::integer AS count FROM unpublished_trees')).count === 0;
    });
    await app.get(StatisticsRunner).refresh(true);
    expect(await derivedState(dataSource)).toEqual(before);
  });
});

describe('a tree with more nodes than a statement has parameters', () => {
  it('is indexed by itself, deliveries and receipts too, and others do not wait for it', async () => {
    const NODES = 3_200;
    const [large, small] = [await draft(), await draft()];
    chain.mine([large.tree.created()]);
    for (let from = 1; from <= NODES; from += 400) {
      const roots = Array.from({ length: 400 }, (_, index) => BigInt(from + index));
      chain.mine(roots.map((root) => large.tree.funded(root, worker, AMOUNT)));
      chain.mine(roots.flatMap((root) => [large.tree.delivered(root), large.tree.rejected(root)]));
      chain.mine(roots.flatMap((root) => [large.tree.delivered(root), large.tree.accepted(root, AMOUNT)]));
    }
    chain.mine([small.tree.created(), small.tree.funded(1n, worker, AMOUNT)]);
    await app.index();
    expect(await nodesOf(small.taskId)).toBe(1);
    // Its facts come in several steps, and it rests after each publication.
    await eventually(async () => {
      await app.index();
      return (await nodesOf(large.taskId, 'released')) === NODES;
    }, 200_000);
    const counts = `SELECT (SELECT count(*)::integer FROM deliveries) AS deliveries,
      (SELECT count(*)::integer FROM receipts) AS receipts, (SELECT count(*)::integer FROM settlements) AS settlements`;
    expect(await one(counts)).toEqual({ deliveries: 2 * NODES, receipts: NODES, settlements: NODES });
    expect(await one('SELECT * FROM unpublished_trees')).toBeUndefined();

    // Rows that have not changed must not be written again.
    const { newest } = await one<{ newest: string }>(
      'SELECT max(xmin::text::bigint)::text AS newest FROM escrow_nodes',
    );
    chain.mine([large.tree.withdrawn(1n, worker, AMOUNT)]);
    await eventually(async () => {
      await app.index();
      return (
        (
          await one<{ pool: string }>('SELECT pool FROM escrow_nodes WHERE task_id = $1 AND path = $2', [
            large.taskId,
            '1',
          ])
        ).pool === '0'
      );
    }, 200_000);
    const written = 'SELECT count(*)::integer AS count FROM escrow_nodes WHERE xmin::text::bigint > $1::bigint';
    expect((await one<{ count: number }>(written, [newest])).count).toBe(1);
  });
});
