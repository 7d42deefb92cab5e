import { parseUsdc } from '../../../libs/kernel/src/index.js';
import { Seeded } from '../../../src/dev/eval/statistics/seeded.js';
import { EARNINGS, STORED_EARNINGS } from '../../../src/modules/earnings/worked-nodes/earnings.sql.js';
import { EarningsService } from '../../../src/modules/earnings/earnings.service.js';
import { EarningsSweeper } from '../../../src/modules/earnings/sums/earnings.sweeper.js';
import { WorkedNodes } from '../../../src/modules/earnings/worked-nodes/worked-nodes.js';
import { RICHEST, RICHEST_OF_TASK } from '../../../src/modules/earnings/worked-nodes/worked-nodes.sql.js';
import { EscrowNodeEntity } from '../../../src/modules/escrow/node/escrow-node.entity.js';
import { LOOK_UPS } from '../../../src/platform/database/reads/read-connections.js';
import { costOf, PlannedStatement } from '../../support/query-plan.js';
import { BUYER, nodeRow, NOW, RIVAL, taskId, ulid, WORKER } from '../../support/market-rows.js';
import { ReadSide } from '../../support/read-side.js';
import { EARNED_ANEW, RICHEST_ANEW } from '../../support/worked-anew.sql.js';
import { vacuumed } from '../../support/vacuumed.js';
import { earnedOf } from '../../support/earned.js';

let side: ReadSide;
let earnings: EarningsService;
let worked: WorkedNodes;
let sweeper: EarningsSweeper;

beforeEach(async () => {
  side = await ReadSide.create();
  earnings = new EarningsService(side.reads, side.clock);
  worked = new WorkedNodes(side.transactions, side.clock);
  sweeper = new EarningsSweeper(side.transactions, side.clock);
});
afterEach(() => side.close());

type Tree = Map<number, EscrowNodeEntity>;

const TASKS = 4;
const MOST_NODES = 9;
const STATES = ['funded', 'delivered', 'rejected', 'disputed', 'released', 'refunded'] as const;
const HOUR_MS = 3_600_000;

const nodeIdOf = (task: number, number: number): string => `node_${ulid(task)}_${number}`;
const nowOf = (): Date => new Date(side.clock.nowSeconds() * 1_000);

/** Makes all rows of a task equal to the tree in one transaction, as the index does. */
async function publish(task: number, tree: Tree): Promise<void> {
  await side.transactions.run(async (manager) => {
    const rows = [...tree.values()];
    const kept = rows.map(({ id }) => id);
    await manager.query('DELETE FROM escrow_nodes WHERE task_id = $1 AND id <> ALL($2)', [taskId(task), kept]);
    if (rows.length > 0) await manager.upsert(EscrowNodeEntity, rows, ['id']);
  });
}

/** The node with random changes, including ones that no contract allows. The sums must follow the rows all the same. */
function changed(chance: Seeded, node: EscrowNodeEntity): EscrowNodeEntity {
  const pool = BigInt(chance.below(5)) * 10_000_001n;
  return Object.assign(new EscrowNodeEntity(), node, {
    workerAccountId: chance.pick([WORKER, WORKER, RIVAL, null]),
    state: chance.pick([...STATES, 'released']),
    outcome: chance.pick(['accepted', 'agreed', 'accept_window_lapsed', null]),
    pool,
    allocated: chance.chance(0.5) ? 0n : pool / BigInt(1 + chance.below(3)),
    floor: BigInt(chance.below(3)) * 7_000_003n,
    withdrawn: BigInt(chance.below(3)) * 5_000_001n,
    clock: new Date(Date.parse(NOW) + chance.below(400) * HOUR_MS),
  });
}

function grown(chance: Seeded, task: number, tree: Tree): void {
  const number = tree.size + 1;
  const parent = number === 1 || chance.chance(0.2) ? null : 1 + chance.below(number - 1);
  const row = nodeRow(BigInt(number), {
    id: nodeIdOf(task, number),
    taskId: taskId(task),
    parentNodeId: parent === null ? null : nodeIdOf(task, parent),
    hirerFunded: parent === null || chance.chance(0.3),
  });
  tree.set(number, changed(chance, Object.assign(new EscrowNodeEntity(), row)));
}

async function expectSumsToBeTrue(step: string): Promise<void> {
  for (const account of [WORKER, RIVAL]) {
    const values = [account, nowOf()];
    const [anew] = await side.dataSource.query(EARNED_ANEW, values);
    const shown = await earnedOf(earnings, account);
    const units = (usdc: string): string => parseUsdc(usdc).toString();
    const kept = {
      pending: units(shown.pending),
      claimable: units(shown.claimable),
      paid: units(shown.paid),
      by_task: shown.by_task.map((task) => `${task.task_id} ${units(task.pending)} ${units(task.claimable)}`),
    };
    expect([step, account, kept]).toEqual([step, account, anew]);
    const [richest] = await side.dataSource.query(RICHEST_ANEW, values);
    const standing = await worked.standing(account, {});
    expect([step, account, standing?.node?.id ?? null, String(standing?.pending ?? 0)]).toEqual([
      step,
      account,
      richest?.id ?? null,
      richest?.pending ?? '0',
    ]);
    if (richest && richest.id === null) {
      expect(standing?.nextDue ?? null).toBe(richest.next_due && richest.next_due.getTime() / 1_000);
    }
  }
}

describe('the sums of earnings', () => {
  it.each([1, 2, 3, 4])(
    'are what all nodes add up to, whatever trees do, time takes and reorganisations give back (seed %i)',
    async (seed) => {
      const chance = new Seeded(seed);
      const trees = new Map<number, Tree>();
      const before: { task: number; tree: Tree }[] = [];
      for (let task = 1; task <= TASKS; task += 1) {
        trees.set(task, new Map());
        await side.task(task);
        for (const account of [WORKER, RIVAL]) await side.party(taskId(task), account, 'worker');
      }
      for (let step = 0; step < 120; step += 1) {
        const task = 1 + chance.below(TASKS);
        const tree = new Map(trees.get(task));
        const kind = chance.pick(['grow', 'change', 'change', 'change', 'rewind', 'time', 'sweep'] as const);
        if (kind === 'grow' && tree.size < MOST_NODES) grown(chance, task, tree);
        if (kind === 'change') {
          for (const [number, node] of tree) if (chance.chance(0.3)) tree.set(number, changed(chance, node));
        }
        if (kind === 'time') side.clock.set(new Date(side.clock.nowMs() + chance.below(20) * HOUR_MS).toISOString());
        if (kind === 'sweep') await sweeper.sweep();
        if (kind === 'rewind') {
          const past = before.pop();
          if (past) {
            trees.set(past.task, past.tree);
            await publish(past.task, past.tree);
          }
        } else if (kind === 'grow' || kind === 'change') {
          before.push({ task, tree: trees.get(task) ?? new Map() });
          trees.set(task, tree);
          await publish(task, tree);
        }
        await expectSumsToBeTrue(`step ${step}: ${kind}`);
      }
      for (let task = 1; task <= TASKS; task += 1) await publish(task, new Map());
      await expectSumsToBeTrue('all undone');
      expect(await side.dataSource.query('SELECT * FROM node_earnings')).toEqual([]);
      expect(await side.dataSource.query('SELECT * FROM task_earnings')).toEqual([]);
      const rest = await side.dataSource.query(
        'SELECT sum(pending)::text AS a, sum(claimable)::text AS b, sum(paid)::text AS c FROM account_earnings',
      );
      expect(rest).toEqual([{ a: '0', b: '0', c: '0' }]);
    },
  );

  it('are undone with the block that they came with', async () => {
    await side.task(1);
    const undone = side.transactions.run(async (manager) => {
      await manager.insert(EscrowNodeEntity, nodeRow(1n) as EscrowNodeEntity);
      throw new Error('the block is discarded');
    });
    await expect(undone).rejects.toThrow('discarded');
    expect(await side.dataSource.query('SELECT * FROM account_earnings')).toEqual([]);
  });

  it('are left to the next round of the sweeper while a block that moves them is being written', async () => {
    await side.task(1);
    await side.insert(
      EscrowNodeEntity,
      nodeRow(1n, { state: 'delivered', clock: new Date(Date.parse(NOW) - HOUR_MS) }),
    );
    const block = side.dataSource.createQueryRunner();
    await block.startTransaction();
    await block.query(`UPDATE escrow_nodes SET pool = pool - 1`);
    expect(await sweeper.sweep()).toBe(0);
    await block.commitTransaction();
    await block.release();
    expect(await sweeper.sweep()).toBe(1);
    expect(await sweeper.sweep()).toBe(0);
    const [kept] = await side.dataSource.query('SELECT pending, claimable FROM account_earnings');
    expect(kept).toEqual({ pending: '0', claimable: '99999999' });
  });

  it('are written down for all others when those of one account cannot be, however many of its nodes are due', async () => {
    await side.task(1);
    const due = (number: number, workerAccountId: string) =>
      nodeRow(BigInt(number), { workerAccountId, state: 'delivered', clock: new Date(Date.parse(NOW) - HOUR_MS) });
    // More than one look for accounts comes to, and due before the others.
    const first = Array.from({ length: 1_001 }, (_, at) => due(at + 2, RIVAL));
    await side.insert(EscrowNodeEntity, ...first);
    await side.insert(EscrowNodeEntity, { ...due(1, WORKER), clock: new Date(Date.parse(NOW) - HOUR_MS / 2) });
    await side.dataSource.query(
      `ALTER TABLE account_earnings ADD CONSTRAINT broken CHECK (account_id <> '${RIVAL}' OR claimable = 0)`,
    );
    await expect(sweeper.sweep()).rejects.toThrow('broken');
    const claimable = `SELECT claimable FROM account_earnings WHERE account_id = $1`;
    expect(await side.dataSource.query(claimable, [WORKER])).toEqual([{ claimable: '100000000' }]);
    await side.dataSource.query('ALTER TABLE account_earnings DROP CONSTRAINT broken');
    expect(await sweeper.sweep()).toBe(1_001);
  });
});

describe('a worker of very many nodes', () => {
  /**
   * Inserts nodes `from` to `to` of the worker, four to a tree: one released, one withdrawn, one delivered, one funded.
   */
  async function insertWork(from: number, to: number): Promise<void> {
    await side.fill(
      `INSERT INTO tasks (id, buyer_account_id, brief, criteria, budget, selection_mode, tier, status, accept_window_seconds,
        delivery_window_seconds, terms_hash, buyer_wallet, arbiter_wallet, escrow_address, created_at, updated_at, document)
      SELECT 'task_01k8' || lpad(n::text, 22, '0'), $1, 'b', '{}', 5, 'manual', 'public', 'funded', 1, 1, '0x', '0x', '0x',
        '0x' || n, now(), now(), '{}' FROM generate_series(${from} / 4, ${to} / 4 - 1) AS n`,
      [BUYER],
    );
    await side.fill(
      `INSERT INTO escrow_nodes (id, task_id, path, parent_node_id, hirer_agent_id, worker_agent_id, worker_account_id,
        hirer_wallet, worker_wallet, visible_account_ids, amount, pool, allocated, floor, withdrawn, version, revisions,
        max_revisions, pay_out, state, outcome, hirer_funded,
        delivery_deadline, clock, accept_window_seconds, terms_hash, funded_at)
      SELECT 'node_01k8' || lpad((n / 4)::text, 22, '0') || '_' || 1 + n % 4, 'task_01k8' || lpad((n / 4)::text, 22, '0'),
        (1 + n % 4)::text,
        NULL, 'a', 'a', $1, '0x', '0x', '{}', 1000000 + n, CASE n % 4 WHEN 1 THEN 0 ELSE 1000000 + n END, 0, 500000,
        CASE n % 4 WHEN 1 THEN 1000000 + n ELSE 0 END, 1, 0, 3, false,
        (ARRAY['released', 'released', 'delivered', 'funded'])[1 + n % 4], CASE WHEN n % 4 < 2 THEN 'accepted' END, true,
        timestamptz '${NOW}' + n * interval '1 second', timestamptz '${NOW}' + n * interval '1 second', 1, '0x', now()
      FROM generate_series(${from}, ${to} - 1) AS n`,
      [WORKER],
    );
  }

  async function work(from: number, to: number): Promise<void> {
    await insertWork(from, to);
    await vacuumed(side.dataSource);
  }

  const SMALL = 4_000;
  const LARGE = 40_000;

  const statements = [
    { name: 'earnings', text: EARNINGS.text, values: () => [WORKER, nowOf()], most: 200 },
    { name: 'stored earnings', text: STORED_EARNINGS.text, values: () => [WORKER, nowOf()], most: 150 },
    { name: 'richest', text: RICHEST.text, values: () => [WORKER, nowOf()], most: 100 },
    {
      name: 'richest of a task',
      text: RICHEST_OF_TASK.text,
      values: () => [WORKER, nowOf(), `task_01k8${'7'.padStart(22, '0')}`, null],
      most: 60,
    },
  ];

  it('reads its earnings and finds where most is to withdraw at the same cost as one of few', async () => {
    const measured = new Map<string, number[]>();
    for (const [from, to] of [
      [0, SMALL],
      [SMALL, LARGE],
    ] as const) {
      await work(from, to);
      for (const { name, text, values, most } of statements) {
        const { buffers, scanned } = await costOf(side.dataSource, text, values(), LOOK_UPS.settings);
        expect([name, scanned.filter((table) => table !== 'account_earnings')]).toEqual([name, []]);
        expect(buffers).toBeLessThanOrEqual(most);
        measured.set(name, [...(measured.get(name) ?? []), buffers]);
      }
    }
    for (const [name, [few = 0, many = 0]] of measured) {
      expect([name, many / few]).toEqual([name, expect.any(Number)]);
      expect(many).toBeLessThanOrEqual(3 * few);
    }
    // Time passes. The reader recomputes only nodes whose limit has passed since the sweeper's last round.
    side.clock.set(new Date(Date.parse(NOW) + 200_000).toISOString());
    const lapsed = await costOf(side.dataSource, EARNINGS.text, [WORKER, nowOf()]);
    expect(lapsed.scanned).not.toContain('escrow_nodes');
    expect(lapsed.buffers).toBeLessThanOrEqual(2_000);
    const made = await earnings.get(WORKER);
    await sweeper.sweep();
    expect(await earnings.get(WORKER)).toEqual(made);
    for (const { text } of [EARNINGS, STORED_EARNINGS]) {
      const swept = await costOf(side.dataSource, text, [WORKER, nowOf()]);
      expect(swept.buffers).toBeLessThanOrEqual(200);
    }
  });

  it('reads no more by plans that were made while nobody had worked', async () => {
    await side.fill('ANALYZE');
    const early: PlannedStatement[] = [];
    for (const { text, values } of statements) {
      const statement = await PlannedStatement.prepare(side.dataSource, text, LOOK_UPS.settings);
      await statement.run(values());
      early.push(statement);
    }
    await insertWork(0, SMALL);
    for (const [place, { name, values, most }] of statements.entries()) {
      const { buffers = Number.NaN } = (await early[place]?.measure(values())) ?? {};
      expect([name, buffers, buffers <= most]).toEqual([name, buffers, true]);
      await early[place]?.close();
    }
  });

  it('costs a block that moves one of its nodes the same, too', async () => {
    const touch = `UPDATE escrow_nodes SET pool = pool + $2::integer WHERE id = $1`;
    const one = ['node_01k80000000000000000000007_0', 1];
    await work(0, SMALL);
    const few = await costOf(side.dataSource, touch, one);
    await work(SMALL, LARGE);
    const many = await costOf(side.dataSource, touch, one);
    expect(many.scanned).toEqual([]);
    const [{ pages }] = await side.dataSource.query(
      `SELECT relpages AS pages FROM pg_class WHERE relname = 'escrow_nodes'`,
    );
    expect(pages).toBeGreaterThan(1_000);
    expect(many.buffers).toBeLessThanOrEqual(3 * few.buffers);
  });
});
