import { EscrowNodeEntity } from '../../../src/modules/escrow/node/escrow-node.entity.js';
import { nodeListStatement } from '../../../src/modules/escrow/node-list.sql.js';
import { NodesService } from '../../../src/modules/escrow/nodes.service.js';
import { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { childPath, parentPath, pathText } from '../../../libs/kernel/src/index.js';
import { planOf } from '../../support/query-plan.js';
import {
  address,
  BUYER,
  bytes32,
  NOW,
  nodeRow,
  RIVAL,
  STRANGER,
  taskId,
  ulid,
  WORKER,
} from '../../support/market-rows.js';
import { ReadSide, walk } from '../../support/read-side.js';

/** In their order: a node before those below it, and these before the node beside it. */
const PATHS = [1n, childPath(1n, 2), childPath(childPath(1n, 2), 3), childPath(1n, 4), 2n, 3n, 4n, 8n];

let side: ReadSide;
let nodes: NodesService;

const id = (path: bigint): string => `node_${ulid(1)}_${pathText(path)}`;
const CHILD = childPath(1n, 2);
/** As callers read them: a member without a value is not there. */
const list = async (accountId: string): Promise<any[]> =>
  JSON.parse(JSON.stringify((await nodes.list({ accountId }, taskId(1), { limit: 25 })).data));
const idsSeenBy = async (accountId: string): Promise<string[]> => (await list(accountId)).map((node) => node.id);
/** A child of node 1, paid from node 1's money, on which the rival works. */
const child = (change: Partial<EscrowNodeEntity> = {}) =>
  nodeRow(CHILD, {
    parentNodeId: id(1n),
    hirerAgentId: 'agent_worker',
    hirerAccountId: WORKER,
    workerAgentId: 'agent_rival',
    workerAccountId: RIVAL,
    visibleAccountIds: [BUYER, WORKER, RIVAL],
    amount: 30_000_000n,
    hirerFunded: false,
    ...change,
  });

beforeEach(async () => {
  side = await ReadSide.create();
  nodes = new NodesService(side.reads, side.cursors, side.clock, side.tasks);
  await side.task(1, { status: 'funded' });
});
afterEach(() => side.close());

describe('the nodes of a task', () => {
  it('are shown to the buyer, their hirers and workers and those above; others who see the task get none', async () => {
    await side.insert(EscrowNodeEntity, nodeRow(1n), child(), nodeRow(3n, { visibleAccountIds: [BUYER, STRANGER] }));
    expect(await idsSeenBy(BUYER)).toEqual([id(1n), id(CHILD), id(3n)]);
    expect(await idsSeenBy(WORKER)).toEqual([id(1n), id(CHILD)]);
    expect(await idsSeenBy(RIVAL)).toEqual([id(CHILD)]);
    expect(await idsSeenBy(STRANGER)).toEqual([id(3n)]);
    expect(await idsSeenBy('acct_nobody')).toEqual([]);
  });

  it('of a task that is missing or invisible are the same 404', async () => {
    // The task decides who may see the node, even if the node names the caller.
    await side.insert(EscrowNodeEntity, nodeRow(1n, { visibleAccountIds: [BUYER, WORKER, STRANGER] }));
    await side.dataSource.manager.update(TaskEntity, { id: taskId(1) }, { tier: 'private_curated' });
    const error = async (task: string) =>
      nodes.list({ accountId: STRANGER }, task, { limit: 1 }).catch((refusal: { body(): unknown }) => refusal.body());
    expect(await error(taskId(1))).toMatchObject({ error: { code: 'not_found' } });
    expect(await error(taskId(1))).toEqual(await error(taskId(9)));
  });

  it('have the members of the interface and no other', async () => {
    await side.insert(EscrowNodeEntity, nodeRow(1n, { allocated: 30_000_000n }), child());
    const [root, leaf] = await list(RIVAL).then(async ([own]) => [(await list(BUYER))[0], own]);
    expect(root).toEqual({
      id: id(1n),
      task_id: taskId(1),
      parent_node_id: null,
      hirer_agent_id: BUYER,
      worker_agent_id: 'agent_worker',
      amount: { amount: '100.00', currency: 'USDC' },
      state: 'funded',
      delivery_deadline: '2026-11-27T12:00:00.000Z',
      accept_window_seconds: 259_200,
      effective_state: 'funded',
      backing: 'hirer_funded',
      unallocated: { amount: '70.00', currency: 'USDC' },
      floor: { amount: '50.00', currency: 'USDC' },
      max_revisions: 3,
      revisions: 0,
      allowed_actions: [],
      due_at: '2026-11-27T12:00:00.000Z',
      next: 'Without a delivery by 2026-11-27T12:00:00Z, anyone may then send 100.00 USDC back to the buyer.',
    });
    expect(leaf).toMatchObject({
      parent_node_id: id(1n),
      backing: 'contingent',
      allowed_actions: ['deliver', 'abandon_node', 'subcontract'],
      next: 'Without a delivery by 2026-11-27T12:00:00Z, anyone may then send 30.00 USDC back to the node above.',
    });
  });

  it('offer each caller what it may prepare now, in its role', async () => {
    const clock = new Date(NOW);
    await side.insert(
      EscrowNodeEntity,
      nodeRow(1n),
      nodeRow(2n, { allocated: 1n }),
      nodeRow(3n, { state: 'rejected' }),
      nodeRow(4n, { state: 'delivered', artifactHash: bytes32(5), clock }),
      nodeRow(5n, { clock, deliveryDeadline: clock }),
      nodeRow(6n, { state: 'released', outcome: 'accepted', pool: 0n, withdrawn: 100_000_000n }),
    );
    const actionsOf = async (accountId: string) => (await list(accountId)).map((node) => node.allowed_actions);
    const working = ['deliver', 'abandon_node', 'subcontract'];
    expect(await actionsOf(WORKER)).toEqual([
      working,
      ['deliver', 'subcontract'],
      ['deliver'],
      [],
      ['deliver', 'abandon_node'],
      [],
    ]);
    expect(await actionsOf(BUYER)).toEqual([[], [], ['resolve_task'], ['resolve_task', 'reject_task'], [], []]);
    side.clock.set('2026-11-20T12:00:01.000Z');
    expect((await actionsOf(WORKER)).slice(3)).toEqual([
      ['withdraw_earnings'],
      ['abandon_node', 'claim_non_delivery'],
      [],
    ]);
    expect((await actionsOf(BUYER)).slice(3)).toEqual([[], ['claim_non_delivery'], []]);
  });

  it('offer the worker what time has sent back from a node below, and say so', async () => {
    const clock = new Date('2026-11-20T11:59:59.000Z');
    const half = { pool: 30_000_000n, allocated: 30_000_000n, withdrawn: 70_000_000n };
    const root = { state: 'released', outcome: 'accepted', ...half } as const;
    await side.insert(EscrowNodeEntity, nodeRow(1n, root), child({ state: 'rejected', clock: new Date(NOW) }));
    const shown = async () => (await list(WORKER)).map(({ allowed_actions: actions, next }) => [actions, next]);
    expect((await shown())[0]).toEqual([
      [],
      expect.stringContaining('70.00 USDC was paid to the worker (30.00 USDC more'),
    ]);
    await side.dataSource.manager.update(EscrowNodeEntity, { path: CHILD }, { clock });
    expect((await shown())[0]).toEqual([
      ['withdraw_earnings'],
      'Settled: 70.00 USDC was paid to the worker, and 30.00 USDC is released to the worker.',
    ]);
  });

  it('offer contesting where the task names an arbiter', async () => {
    await side.dataSource.manager.update(TaskEntity, { id: taskId(1) }, { arbiterWallet: address(9) });
    await side.insert(EscrowNodeEntity, nodeRow(1n, { state: 'rejected' }));
    expect((await list(WORKER))[0]?.allowed_actions).toEqual(['deliver', 'dispute_node']);
  });

  it('offer hiring down to the deepest level, however the levels are paid', async () => {
    const paths = [1, 2, 3, 4, 5, 6, 7].reduce((line, index) => [...line, childPath(line.at(-1)!, index)], [1n]);
    const chain = paths.map((path, n) =>
      nodeRow(path, { parentNodeId: n === 0 ? null : id(parentPath(path)), hirerFunded: n % 3 === 0 }),
    );
    await side.insert(EscrowNodeEntity, ...chain);
    const hiring = (await list(WORKER)).map((node) => node.allowed_actions?.includes('subcontract'));
    expect(hiring).toEqual([true, true, true, true, true, true, true, false]);
  });

  it('offer nothing but clearing away where the money went back with a node above', async () => {
    const clock = new Date('2026-11-20T11:59:59.000Z');
    await side.insert(
      EscrowNodeEntity,
      nodeRow(1n, { state: 'rejected', clock }),
      child({ clock, deliveryDeadline: clock }),
      child({ id: id(childPath(1n, 3)), path: childPath(1n, 3), state: 'delivered', artifactHash: bytes32(5) }),
      child({ id: id(childPath(1n, 4)), path: childPath(1n, 4), hirerFunded: true }),
    );
    expect((await list(RIVAL)).map((node) => node.allowed_actions)).toEqual([
      ['abandon_node', 'claim_non_delivery'],
      [],
      ['deliver', 'abandon_node', 'subcontract'],
    ]);
    expect((await list(WORKER)).map((node) => node.allowed_actions)).toEqual([[], ['claim_non_delivery'], [], []]);
  });

  it('show what time has decided, to the second', async () => {
    const delivered = { state: 'delivered', artifactHash: bytes32(5), clock: new Date(NOW) } as const;
    await side.insert(EscrowNodeEntity, nodeRow(1n, delivered));
    expect(await list(WORKER)).toMatchObject([
      {
        state: 'delivered',
        effective_state: 'delivered',
        accept_deadline: NOW,
        due_at: NOW,
        artifact_hash: bytes32(5),
      },
    ]);
    side.clock.set('2026-11-20T12:00:01.000Z');
    const [node] = await list(WORKER);
    expect(node).toMatchObject({ state: 'delivered', effective_state: 'released', accept_deadline: NOW });
    expect(node).not.toHaveProperty('due_at');
    expect(node).not.toHaveProperty('unallocated');
  });

  it.each([
    [{ state: 'refunded', outcome: 'non_delivery' }, 'went back with a node above'],
    [{ state: 'rejected', clock: new Date('2026-11-20T11:59:59.000Z') }, 'went back with a node above'],
    [{ state: 'rejected', clock: new Date(NOW) }, 'is held until every node above is released'],
    [{ state: 'funded' }, 'is held until every node above is released'],
    [{ state: 'released', outcome: 'accepted' }, 'Settled: 30.00 USDC is released'],
    [{ state: 'delivered', clock: new Date('2026-11-20T11:59:59.000Z') }, '30.00 USDC is released'],
  ] as const)('follow the money of a node above that is %j', async (above, next) => {
    const middle = child({ state: 'released', outcome: 'accepted' });
    const path = childPath(CHILD, 3);
    const leaf = child({ id: id(path), path, parentNodeId: id(CHILD), state: 'released', outcome: 'accepted' });
    await side.insert(EscrowNodeEntity, nodeRow(1n, { ...above }), middle, leaf);
    const [, second, third] = await list(BUYER);
    expect(second?.next).toContain(next);
    expect(third?.next).toContain(next);
  });

  it('whose hirer brought the money do not depend on the node above', async () => {
    await side.insert(
      EscrowNodeEntity,
      nodeRow(1n, { state: 'refunded', outcome: 'abandoned' }),
      child({ hirerFunded: true, state: 'released', outcome: 'accepted' }),
    );
    expect((await list(RIVAL))[0]).toMatchObject({
      backing: 'hirer_funded',
      outcome: 'accepted',
      next: 'Settled: 30.00 USDC is released to the worker.',
    });
  });

  it('are walked in the order of their paths without repeats or gaps while new ones arrive', async () => {
    await side.insert(EscrowNodeEntity, ...PATHS.map((path) => nodeRow(path)));
    const seen = await walk(
      (cursor) => nodes.list({ accountId: WORKER }, taskId(1), { limit: 2, ...(cursor ? { cursor } : {}) }),
      (page) => side.insert(EscrowNodeEntity, nodeRow(BigInt(page + 90))),
    );
    expect(seen.slice(0, 8)).toEqual(PATHS.map(id));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it("refuse the cursor of another task, also when it is the caller's", async () => {
    await side.task(2);
    await side.insert(EscrowNodeEntity, nodeRow(1n), nodeRow(2n));
    const cursor = (await nodes.list({ accountId: BUYER }, taskId(1), { limit: 1 })).next_page ?? '';
    await expect(nodes.list({ accountId: BUYER }, taskId(2), { limit: 1, cursor })).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
  });

  it('are read through the index of their task on 100,000 rows', async () => {
    await side.fill(
      `INSERT INTO tasks SELECT 'task_' || n, buyer_account_id, title, brief, criteria, budget, selection_mode, tier,
        status, 1, 1, NULL, '', '', '', 'e' || n, 0, created_at, updated_at, document
        FROM tasks, generate_series(1, 5000) AS n`,
    );
    await side.fill(
      `INSERT INTO escrow_nodes (id, task_id, path, hirer_agent_id, worker_agent_id, hirer_wallet, worker_wallet,
          visible_account_ids, amount, pool, allocated, floor, withdrawn, version, revisions, max_revisions, pay_out, state,
          hirer_funded, delivery_deadline, clock, accept_window_seconds, terms_hash, funded_at)
        SELECT 'n' || n, 'task_' || 1 + n % 50, n::text, 'h' || n, 'w' || n, '', '', '{a}', 1, 1, 0, 1, 0, 1, 0, 3, false,
          'funded', true, $1, $1, 1, '', $1 FROM generate_series(1, 100000) AS n`,
      [NOW],
    );
    await side.fill('ANALYZE tasks, escrow_nodes');
    const plan = await planOf(side.dataSource, nodeListStatement(26).text, ['task_7', 'a', '', NOW]);
    const indexes = plan.nodes.map((node) => node['Index Name']);
    expect(indexes).toEqual(expect.arrayContaining(['escrow_nodes_task_id_path_key', 'escrow_nodes_pkey']));
    expect(plan.scanned).toEqual([]);
  });
});
