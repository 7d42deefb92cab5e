import { AgentEntity } from '../../../src/modules/agents/agent/agent.entity.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { AgentsService } from '../../../src/modules/agents/agents.service.js';
import { EscrowNodeEntity } from '../../../src/modules/escrow/node/escrow-node.entity.js';
import { NodeClocksSweeper } from '../../../src/modules/escrow/node/node-clocks.sweeper.js';
import { shownNodes } from '../../../src/modules/escrow/node-list.sql.js';
import { NodeReader } from '../../../src/modules/escrow/node-reader.js';
import { NodesService } from '../../../src/modules/escrow/nodes.service.js';
import { AFTER_ALL_NODES, inboxSearch } from '../../../src/modules/inbox/inbox-page.sql.js';
import { InboxService } from '../../../src/modules/inbox/inbox.service.js';
import { costOf, planOf } from '../../support/query-plan.js';
import { vacuumed } from '../../support/vacuumed.js';
import { BUYER, NOW, nodeRow, RIVAL, STRANGER, taskId, ulid, WORKER } from '../../support/market-rows.js';
import { ReadSide, walk } from '../../support/read-side.js';

type Filter = Partial<Parameters<InboxService['list']>[2]>;

const STATES = ['funded', 'delivered', 'rejected', 'disputed', 'released', 'refunded'] as const;
const EARLIER = new Date('2026-11-20T11:59:59.000Z');

let side: ReadSide;
let inbox: InboxService;

/** A market with two tasks that are funded. */
async function newMarket(): Promise<ReadSide> {
  const made = await ReadSide.create();
  for (const n of [1, 2]) await made.task(n, { status: 'funded' });
  return made;
}

function inboxOf({ transactions, clock, events, cursors, reads }: ReadSide): InboxService {
  const agents = new AgentsService(transactions, clock, events, Object.assign(new Environment(), { quotaAgents: 0 }));
  return new InboxService(cursors, clock, agents, new NodeReader(reads));
}

const id = (task: number, root: number): string => `node_${ulid(task)}_${root}`;
/** A node of task `task`. The worker works on node 1, the rival on the nodes below it. */
const node = (task: number, root: number, change: Partial<EscrowNodeEntity> = {}) =>
  nodeRow(BigInt(root), { id: id(task, root), taskId: taskId(task), ...change });
const child = (task: number, number: number, change: Partial<EscrowNodeEntity> = {}) =>
  node(task, number, {
    parentNodeId: id(task, 1),
    hirerAgentId: 'agent_worker',
    hirerAccountId: WORKER,
    workerAgentId: 'agent_rival',
    workerAccountId: RIVAL,
    visibleAccountIds: [BUYER, WORKER, RIVAL],
    hirerFunded: false,
    ...change,
  });
const page = (accountId: string, agentId: string, filter: Filter = {}) =>
  inbox.list({ accountId }, agentId, { limit: 25, ...filter });
const ids = async (accountId: string, agentId: string, filter: Filter = {}): Promise<string[]> =>
  (await page(accountId, agentId, filter)).data.map((each) => each.id);

/** Gives each test of a `describe` a market of its own; the others share one that they only read. */
function eachHasItsOwn(): void {
  beforeEach(async () => {
    side = await newMarket();
    inbox = inboxOf(side);
  });
  afterEach(() => side.close());
}

describe('the inbox of an agent', () => {
  eachHasItsOwn();

  it("holds the nodes it works on and those it hires for, the newest task's first", async () => {
    await side.insert(EscrowNodeEntity, node(1, 1), child(1, 2), node(2, 1), child(2, 2), child(2, 3));
    expect(await ids(WORKER, 'agent_worker')).toEqual([id(2, 3), id(2, 2), id(2, 1), id(1, 2), id(1, 1)]);
    expect(await ids(RIVAL, 'agent_rival')).toEqual([id(2, 3), id(2, 2), id(1, 2)]);
    expect(await ids(STRANGER, 'agent_stranger')).toEqual([]);
  });

  it('shows a node as the list of its task shows it', async () => {
    await side.insert(EscrowNodeEntity, node(1, 1), child(1, 2, { state: 'delivered', clock: new Date(NOW) }));
    const tasks = new NodesService(side.reads, side.cursors, side.clock, side.tasks);
    const { data } = await tasks.list({ accountId: WORKER }, taskId(1), { limit: 25 });
    expect((await page(WORKER, 'agent_worker')).data).toEqual([...data].reverse());
    expect(data).toHaveLength(2);
  });

  it('is for its owner alone: an agent of another is the same 404 as a missing one', async () => {
    await side.insert(EscrowNodeEntity, node(1, 1));
    const refusal = async (accountId: string, agentId: string) =>
      page(accountId, agentId).catch((error: { body(): unknown }) => error.body());
    expect(await refusal(RIVAL, 'agent_worker')).toMatchObject({ error: { code: 'not_found' } });
    expect(await refusal(RIVAL, 'agent_worker')).toEqual(await refusal(RIVAL, 'agent_none'));
    expect(await refusal(BUYER, BUYER)).toEqual(await refusal(RIVAL, 'agent_none'));
  });

  it('does not show a node that its owner may not see, whatever agent is written on it', async () => {
    await side.insert(EscrowNodeEntity, node(1, 1, { visibleAccountIds: [BUYER] }), node(1, 2));
    expect(await ids(WORKER, 'agent_worker')).toEqual([id(1, 2)]);
  });

  it('stays readable when the agent has retired', async () => {
    await side.insert(EscrowNodeEntity, node(1, 1));
    await side.dataSource.manager.update(AgentEntity, { id: 'agent_worker' }, { status: 'retired' });
    expect(await ids(WORKER, 'agent_worker')).toEqual([id(1, 1)]);
  });

  it('is narrowed to one side', async () => {
    await side.insert(EscrowNodeEntity, node(1, 1), child(1, 2), node(2, 1));
    expect(await ids(WORKER, 'agent_worker', { role: 'worker' })).toEqual([id(2, 1), id(1, 1)]);
    expect(await ids(WORKER, 'agent_worker', { role: 'hirer' })).toEqual([id(1, 2)]);
    expect(await ids(RIVAL, 'agent_rival', { role: 'hirer' })).toEqual([]);
  });

  it('names a node once when the agent is on both sides of it', async () => {
    await side.insert(EscrowNodeEntity, node(1, 1, { hirerAgentId: 'agent_worker' }));
    expect(await ids(WORKER, 'agent_worker')).toEqual([id(1, 1)]);
  });

  it('is narrowed to the state that time has decided, to the second, and says the same state', async () => {
    const now = new Date(NOW);
    await side.insert(
      EscrowNodeEntity,
      node(1, 1, { state: 'funded', clock: EARLIER }),
      node(1, 2, { state: 'delivered', clock: now }),
      node(1, 3, { state: 'delivered', clock: EARLIER }),
      node(1, 4, { state: 'rejected', clock: now }),
      node(1, 5, { state: 'rejected', clock: EARLIER }),
      node(1, 6, { state: 'disputed', clock: now }),
      node(1, 7, { state: 'disputed', clock: EARLIER }),
      node(1, 8, { state: 'released', outcome: 'accepted', clock: EARLIER }),
      node(1, 9, { state: 'refunded', outcome: 'abandoned', clock: EARLIER }),
      // A silent arbiter gives the money back where both signed no floor.
      node(1, 10, { state: 'disputed', floor: 0n, clock: EARLIER }),
    );
    const numbers = {
      funded: [1],
      delivered: [2],
      rejected: [4],
      disputed: [6],
      released: [8, 7, 3],
      // In the order of the paths' texts.
      refunded: [9, 5, 10],
    };
    for (const [state, expected] of Object.entries(numbers)) {
      const filter = { state } as Filter;
      expect([state, await ids(WORKER, 'agent_worker', filter)]).toEqual([state, expected.map((n) => id(1, n))]);
      const { data } = await page(WORKER, 'agent_worker', { ...filter, role: 'worker' });
      expect(new Set(data.map((each) => each.effective_state))).toEqual(new Set([state]));
    }
    await new NodeClocksSweeper(side.transactions, side.clock).sweep();
    const refunded = await ids(WORKER, 'agent_worker', { state: 'refunded' });
    expect(refunded).toEqual(numbers.refunded.map((n) => id(1, n)));
    side.clock.set('2026-11-20T12:00:01.000Z');
    expect(await ids(WORKER, 'agent_worker', { state: 'delivered' })).toEqual([]);
    expect(await ids(WORKER, 'agent_worker', { state: 'released' })).toEqual([8, 7, 6, 3, 2].map((n) => id(1, n)));
  });

  it('is walked without repeats or gaps while new nodes arrive', async () => {
    await side.insert(
      EscrowNodeEntity,
      ...[1, 2, 3, 4, 5].map((n) => node(1, n)),
      child(1, 6),
      node(2, 1),
      child(2, 2),
    );
    const seen = await walk(
      (cursor) => page(WORKER, 'agent_worker', { limit: 3, ...(cursor ? { cursor } : {}) }),
      (n) => side.insert(EscrowNodeEntity, node(2, 20 + n), node(1, 30 + n)),
    );
    const before = [id(2, 2), id(2, 1), id(1, 6), id(1, 5), id(1, 4), id(1, 3), id(1, 2), id(1, 1)];
    expect(seen.filter((each) => before.includes(each))).toEqual(before);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('refuses the cursor of another agent, side, state or caller', async () => {
    await side.agent('agent_second', WORKER);
    await side.insert(EscrowNodeEntity, node(1, 1), node(1, 2));
    const cursor = (await page(WORKER, 'agent_worker', { limit: 1 })).next_page!;
    const refusal = { code: 'invalid_cursor' };
    await expect(page(WORKER, 'agent_second', { cursor })).rejects.toMatchObject(refusal);
    await expect(page(WORKER, 'agent_worker', { cursor, role: 'worker' })).rejects.toMatchObject(refusal);
    await expect(page(WORKER, 'agent_worker', { cursor, state: 'funded' })).rejects.toMatchObject(refusal);
    await expect(page(RIVAL, 'agent_worker', { cursor })).rejects.toMatchObject(refusal);
    expect(await ids(WORKER, 'agent_worker', { cursor })).toEqual([id(1, 1)]);
  });
});

describe('the inbox of an agent on 50,000 rows', () => {
  let large: ReadSide;

  beforeAll(async () => {
    large = await newMarket();
    await large.fill(
      `INSERT INTO escrow_nodes (id, task_id, path, hirer_agent_id, worker_agent_id, hirer_wallet, worker_wallet,
        visible_account_ids, amount, pool, allocated, floor, withdrawn, version, revisions, max_revisions, pay_out, state,
        hirer_funded, delivery_deadline, clock, accept_window_seconds, terms_hash, funded_at)
      SELECT 'n' || n, $2, n::text, 'h' || n % 500, 'w' || n % 500, '', '', '{a}', 1, 1, 0, 1, 0, 1, 0, 3, false, 'funded',
        true, $1, $1, 1, '', $1 FROM generate_series(1, 50000) AS n`,
      [NOW, taskId(1)],
    );
    await large.fill('ANALYZE escrow_nodes');
  });
  afterAll(() => large.close());

  it.each([
    [undefined, false],
    [undefined, true],
    ['worker', true],
    ['hirer', false],
  ] as const)('of side %s (by state: %s) is read through the indexes of its agents', async (role, byState) => {
    const values = ['w7', 'a', 'task_z', '0', NOW, ...(byState ? ['funded'] : [])];
    const plan = await planOf(large.dataSource, shownNodes(inboxSearch(26, role, byState)), values);
    const sides = role === undefined ? ['worker', 'hirer'] : [role];
    for (const side of sides) {
      const index = `escrow_nodes_${side}_${byState ? 'noted_state_idx' : 'agent_id_idx'}`;
      expect(plan.scans).toContain(`Index Scan Backward using ${index} on escrow_nodes`);
      if (byState) expect(plan.scans).toContain(`Index Scan using escrow_nodes_${side}_clock_idx on escrow_nodes`);
    }
    expect(plan.scanned).toEqual([]);
  });
});

describe('the inbox of an agent with very many nodes, by state', () => {
  const PAGE = 25;
  /** Pages of 8 KiB: a page of rows looked up one by one in two tables and in an index. */
  const FEW = 160;

  let large: ReadSide;

  /**
   * 20,000 nodes of the worker's agent, and of the rival's below it. Of those with a time limit it has passed for every
   * second one, and the states of twenty nodes in a row are the same, so that any reader in order passes over others.
   */
  beforeAll(async () => {
    large = await newMarket();
    await large.fill(
      `INSERT INTO escrow_nodes (id, task_id, path, hirer_agent_id, hirer_account_id, worker_agent_id, worker_account_id,
        hirer_wallet, worker_wallet, visible_account_ids, amount, pool, allocated, floor, withdrawn, version, revisions,
        max_revisions, pay_out, state, hirer_funded, delivery_deadline, clock, accept_window_seconds, terms_hash, funded_at)
      SELECT 'n' || n, $1, n::text, 'agent_worker', $2, 'agent_rival', $3, '', '', ARRAY[$2, $3], 1, 1, 0, 1, 0, 1, 0, 3, false,
        (ARRAY['funded', 'delivered', 'delivered', 'rejected', 'disputed'])[1 + n / 20 % 5], true, $4,
        $4::timestamptz + CASE n % 2 WHEN 0 THEN -1 ELSE 1 END * (n || ' minutes')::interval, 1, '', $4
      FROM generate_series(1, 20000) n`,
      [taskId(1), WORKER, RIVAL, NOW],
    );
    await new NodeClocksSweeper(large.transactions, large.clock).sweep();
    await vacuumed(large.dataSource);
  });
  afterAll(() => large.close());

  it.each(['worker', 'hirer', undefined] as const)(
    'reads the nodes of a page and no others, on side %s and on both sides of the time limit',
    async (role) => {
      const agent = role === 'worker' ? 'agent_rival' : 'agent_worker';
      const account = role === 'worker' ? RIVAL : WORKER;
      const shared = inboxOf(large);
      const filter = { limit: PAGE, ...(role ? { role } : {}) };
      const faults: string[] = [];
      for (const state of STATES) {
        const search = inboxSearch(PAGE + 1, role, true);
        const values = [agent, account, ...AFTER_ALL_NODES, NOW, state];
        const plan = await costOf(large.dataSource, shownNodes(search), values);
        const { data } = await shared.list({ accountId: account }, agent, { ...filter, state });
        expect(new Set(data.map((each) => each.effective_state))).toEqual(new Set([state]));
        expect(data).toHaveLength(PAGE);
        if (plan.buffers > FEW) faults.push(`${state} reads ${plan.buffers} pages`);
      }
      expect(faults).toEqual([]);
    },
  );
});

describe('what time has decided of the nodes of an inbox', () => {
  eachHasItsOwn();

  it('shows the same whether the sweeper has noted what time decided or not, and when the chain takes it back', async () => {
    const now = new Date(NOW);
    for (const number of [1, 2, 3, 4, 5, 6]) {
      const state = (['delivered', 'disputed', 'rejected'] as const)[number % 3]!;
      const clock = number > 3 ? EARLIER : new Date(now.getTime() + 60_000);
      await side.insert(EscrowNodeEntity, node(1, number, { state, clock }));
    }
    const shown = async (): Promise<object> =>
      Object.fromEntries(
        await Promise.all(STATES.map(async (state) => [state, await ids(WORKER, 'agent_worker', { state })])),
      );
    const sweeper = new NodeClocksSweeper(side.transactions, side.clock);
    const by = (...numbers: number[]): string[] => numbers.map((number) => id(1, number));
    const early = {
      funded: [],
      delivered: by(3),
      rejected: by(2),
      disputed: by(1),
      released: by(6, 4),
      refunded: by(5),
    };
    expect(await shown()).toEqual(early);
    // It stays some seconds behind, for processes whose clocks are behind.
    expect(await sweeper.sweep()).toBe(0);
    side.clock.set(new Date(now.getTime() + 10_000).toISOString());
    expect(await sweeper.sweep()).toBe(3);
    expect(await sweeper.sweep()).toBe(0);
    expect(await shown()).toEqual(early);
    await side.dataSource.query(`UPDATE escrow_nodes SET clock = $1 WHERE path IN ('4', '5')`, [
      new Date(now.getTime() + 60_000),
    ]);
    const reopened = { ...early, disputed: by(4, 1), rejected: by(5, 2), released: by(6), refunded: [] };
    expect(await shown()).toEqual(reopened);
    side.clock.set(new Date(now.getTime() + 100_000).toISOString());
    const all = { funded: [], delivered: [], rejected: [], disputed: [], released: by(6, 4, 3, 1), refunded: by(5, 2) };
    expect(await shown()).toEqual(all);
    expect(await sweeper.sweep()).toBe(5);
    expect(await shown()).toEqual(all);
  });

  it('leaves a node that a block is writing to the next round', async () => {
    await side.insert(EscrowNodeEntity, node(1, 1, { state: 'delivered', clock: new Date(Date.parse(NOW) - 60_000) }));
    const sweeper = new NodeClocksSweeper(side.transactions, side.clock);
    const block = side.dataSource.createQueryRunner();
    await block.startTransaction();
    await block.query('UPDATE escrow_nodes SET pool = pool - 1');
    expect(await sweeper.sweep()).toBe(0);
    await block.commitTransaction();
    await block.release();
    expect(await sweeper.sweep()).toBe(1);
  });
});
