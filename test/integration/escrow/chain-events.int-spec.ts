import { Client } from 'pg';
import { InconsistentFactsError } from '../../../libs/contracts/src/index.js';
import { DomainEvents } from '../../../src/modules/events/domain-events.js';
import type { ChainMarket } from '../../support/chain-market.js';
import { EventModel } from '../../support/event-model.js';
import { eventually } from '../../support/eventually.js';
import { IndexFixture } from '../../support/index-fixture.js';
import { type HiredTree, type IndexedMarket, nodeId, type Party } from '../../support/indexed-market.js';
import type { TestService } from '../../support/test-service.js';

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

/** Everything in the log in its order; or what one account reads of it. */
async function events(reader?: Party): Promise<any[]> {
  const [sql, values]: [string, string[]] = reader
    ? [
        `SELECT document FROM events JOIN event_audience USING (sequence) WHERE account_id IN ($1, 'public') ORDER BY sequence`,
        [reader.accountId],
      ]
    : ['SELECT document FROM events ORDER BY sequence', []];
  await eventually(async () => (await market.dataSource.query<unknown[]>('SELECT FROM event_outbox')).length === 0);
  const rows = await market.dataSource.query<{ document: string }[]>(sql, values);
  return rows.map(({ document }) => JSON.parse(document));
}

/** Types with the end of the subject's id, in their order. */
const brief = (all: readonly any[]): string[] =>
  all
    .filter(({ subject }) => subject.kind !== 'quote' && subject.kind !== 'agent')
    .map(({ type, subject }) => `${type} ${tail(subject)}`);
const tail = ({ kind, id }: { kind: string; id: string }): string =>
  kind === 'task' ? '' : id.slice(id.indexOf('_', id.indexOf('_') + 1) + 1);

async function expectModelToHold(tree: HiredTree): Promise<void> {
  const model = new EventModel();
  for (const event of await events(buyer)) model.take(event);
  const states = Object.entries(await market.nodeStates(tree.taskId));
  expect(model.nodes).toEqual(
    Object.fromEntries(states.map(([path, state]) => [`node_${tree.taskId.slice(5)}_${path}`, state])),
  );
  expect(model.tasks[tree.taskId]).toBe((await market.task(tree.taskId)).status);
}

/** A root and a node below it, both delivered and released; nothing is read meanwhile. */
async function released(): Promise<HiredTree> {
  const tree = await market.hired(buyer, worker);
  const child = await market.hireBelow(tree, 2, worker, other, 40_000_000n);
  await chain.deliver(tree, child.nodeId, other.wallet);
  await chain.reject(tree, child.nodeId, worker.wallet);
  await chain.deliver(tree, child.nodeId, other.wallet);
  await chain.resolve(tree, child, worker.wallet);
  await chain.deliver(tree, 1n, worker.wallet);
  await chain.resolve(tree, tree.root, buyer.wallet);
  return tree;
}

const RELEASED = [
  'node.funded 1',
  'task.funded ',
  'node.funded 1-2',
  'node.subcontracted 1',
  'node.delivered 1-2',
  'delivery.submitted 1-2_1',
  'node.rejected 1-2',
  'delivery.rejected 1-2_1',
  'node.delivered 1-2',
  'delivery.submitted 1-2_2',
  'node.released 1-2',
  'delivery.released 1-2_2',
  'node.delivered 1',
  'task.delivered ',
  'delivery.submitted 1_1',
  'node.released 1',
];

describe('events of the chain', () => {
  it('tell each transition in the order of the chain, however many blocks are read at once', async () => {
    const tree = await released();
    await app.index();
    const all = await events();
    expect(brief(all).slice(0, RELEASED.length)).toEqual(RELEASED);
    expect(brief(all).slice(RELEASED.length).sort()).toEqual(
      [
        'delivery.released 1_1',
        'earnings.available 1',
        'earnings.available 1-2',
        'receipt.issued 1',
        'receipt.issued 1-2',
        'task.resolved ',
      ].sort(),
    );
    const settled = all.find(({ type, subject }) => type === 'node.released' && subject.id === nodeId(tree.taskId, 1n));
    expect(settled.data).toMatchObject({
      status: { from: 'delivered', to: 'released' },
      outcome: 'accepted',
      worker_share: { amount: '100.00', currency: 'USDC' },
      hirer_share: { amount: '0.00', currency: 'USDC' },
    });
    const amounts: string[] = all
      .filter(({ type }) => type === 'earnings.available')
      .map(({ data }) => data.amount.amount);
    expect(amounts.toSorted()).toEqual(['40.00', '60.00']);
    await expectModelToHold(tree);
  });

  it('are for those that see the subject, and money for its owner alone', async () => {
    const tree = await released();
    const stranger = await market.party('Stranger');
    await chain.withdrawEarnings(tree, 1n, 60_000_000n, worker.wallet);
    await app.index();
    const [root, below, stood] = [buyer, worker, other].map((who) => who);
    expect(brief(await events(root)).filter((line) => /earnings|refund/.test(line))).toEqual([]);
    expect(brief(await events(below)).filter((line) => /earnings/.test(line))).toEqual(['earnings.withdrawn 1']);
    expect(brief(await events(stood)).filter((line) => /earnings/.test(line))).toEqual(['earnings.available 1-2']);
    // The helper sees its own node and not the one above it; the buyer sees the whole tree.
    expect(new Set(brief(await events(stood)).filter((line) => line.startsWith('node.')))).toEqual(
      new Set(RELEASED.filter((line) => line.startsWith('node.') && line.endsWith('1-2'))),
    );
    expect(brief(await events(root)).filter((line) => line.startsWith('node.'))).toEqual(
      RELEASED.filter((line) => line.startsWith('node.')),
    );
    // Everybody sees a public task, and the records of agents.
    expect(new Set(brief(await events(stranger)).map((line) => line.split('.')[0]))).toEqual(new Set(['task']));
  });

  it('tell everybody what the records of the agents say now, and again what they say after a reorganisation', async () => {
    const told = async (): Promise<any[]> =>
      (await events(await market.party('Stranger'))).filter(({ type }) => type === 'reputation.updated');
    const tree = await market.hired(buyer, worker);
    await chain.deliver(tree, 1n, worker.wallet);
    await app.index();
    expect(await told()).toEqual([]);
    const snapshot = await chain.anvil.rpc('evm_snapshot');
    await chain.resolve(tree, tree.root, buyer.wallet);
    await app.index();
    const [first, ...others] = await told();
    expect(others).toEqual([]);
    const [record] = await market.dataSource.query<any[]>(
      'SELECT agent_id, score::float8, independence_confidence::float8, settlements FROM reputation_records',
    );
    expect(first.subject).toEqual({ kind: 'agent', id: record.agent_id });
    expect(first.data).toEqual({
      score: record.score,
      independence_confidence: record.independence_confidence,
      settled_value: { amount: '100.00', currency: 'USDC' },
      settlements: 1,
    });
    // What else happens to the tree says nothing of the agent.
    await chain.withdrawEarnings(tree, 1n, 100_000_000n, worker.wallet);
    await app.index();
    expect(await told()).toEqual([first]);
    await chain.anvil.rpc('evm_revert', snapshot);
    await chain.anvil.mine(5);
    await app.index();
    expect((await told()).map(({ data }) => data)).toEqual([first.data, { settlements: 0 }]);
  });

  it('tell what goes back to its hirer, and that it is taken out', async () => {
    const tree = await market.hired(buyer, worker);
    await chain.abandon(tree, tree.root, worker.wallet);
    await chain.withdrawRefund(tree, 100_000_000n);
    await app.index();
    const money = (await events(buyer)).filter(({ type }) => /^(earnings|refund|receipt)/.test(type));
    expect(money.map(({ type, data }) => [type, data.amount.amount])).toEqual([
      ['refund.available', '100.00'],
      ['receipt.issued', '100.00'],
      ['refund.withdrawn', '100.00'],
    ]);
    expect((await events(worker)).filter(({ type }) => type.startsWith('refund'))).toEqual([]);
    await expectModelToHold(tree);
  });
});

describe('a reorganisation', () => {
  it('tells which events have not happened, to each reader those it could read, and then what has', async () => {
    const tree = await market.hired(buyer, worker);
    const child = await market.hireBelow(tree, 2, worker, other, 40_000_000n);
    await app.index();
    const before = (await events()).length;
    const snapshot = await chain.anvil.rpc('evm_snapshot');
    await chain.deliver(tree, child.nodeId, other.wallet);
    await chain.resolve(tree, child, worker.wallet);
    await chain.deliver(tree, 1n, worker.wallet);
    await app.index();
    const told = (await events()).slice(before);
    await chain.anvil.rpc('evm_revert', snapshot);
    await chain.deliver(tree, child.nodeId, other.wallet, { artifactHash: `0x${'ee'.repeat(32)}` });
    await chain.anvil.mine(3);
    await app.index();
    const after = (await events()).slice(before + told.length);
    const reverted = after.filter(({ type }) => type === 'chain.reverted');
    expect(after.slice(0, reverted.length)).toEqual(reverted);
    const named: string[] = reverted.flatMap(({ data }) => data.event_ids);
    expect(named.toSorted()).toEqual(told.map(({ id }): string => id).toSorted());
    expect(brief(after.slice(reverted.length))).toEqual([
      'node.delivered 1-2',
      'delivery.submitted 1-2_1',
      'task.updated ',
    ]);
    const updated = after.find(({ type }) => type === 'task.updated');
    expect(updated.data.status).toEqual({ from: 'delivered', to: 'funded' });
    expect(updated.chain).toBeUndefined();
    await expectModelToHold(tree);
    // Each names what the reader has read, and nothing else: `take` throws at an unknown one.
    for (const who of [buyer, worker, other]) {
      const model = new EventModel();
      for (const event of await events(who)) model.take(event);
    }
    await app.index();
    expect((await events()).length).toBe(before + told.length + after.length);
  });

  it('that only moves a transaction to another block tells it anew', async () => {
    const tree = await market.hired(buyer, worker);
    await app.index();
    const snapshot = await chain.anvil.rpc('evm_snapshot');
    await chain.deliver(tree, 1n, worker.wallet);
    await app.index();
    const before = await events();
    await chain.anvil.rpc('evm_revert', snapshot);
    await chain.anvil.mine(2);
    await chain.deliver(tree, 1n, worker.wallet);
    await app.index();
    const after = (await events()).slice(before.length);
    expect(brief(after.filter(({ type }) => type !== 'chain.reverted'))).toEqual([
      'node.delivered 1',
      'task.delivered ',
      'delivery.submitted 1_1',
    ]);
    const [was] = before.filter(({ type }) => type === 'node.delivered');
    const is = after.find(({ type }) => type === 'node.delivered');
    expect(is.chain.block).toBe(was.chain.block + 2);
    await expectModelToHold(tree);
  });

  it('names what still waits for its place in the log, and never again', async () => {
    const tree = await market.hired(buyer, worker);
    await app.index();
    const before = (await events()).length;
    await fixture.close(app);
    // Whoever holds this lock makes the log, so nobody does.
    const maker = new Client({ connectionString: fixture.databaseUrl });
    await maker.connect();
    await maker.query('SELECT pg_advisory_lock($1, $2)', [0x7a5c, 0xe7e2]);
    app = await fixture.open();
    let snapshot = await chain.anvil.rpc('evm_snapshot');
    await chain.deliver(tree, 1n, worker.wallet);
    await app.index();
    await chain.anvil.rpc('evm_revert', snapshot);
    snapshot = await chain.anvil.rpc('evm_snapshot');
    await chain.anvil.mine(2);
    await app.index();
    const waiting = await market.dataSource.query<unknown[]>(`SELECT FROM event_outbox WHERE type = 'node.delivered'`);
    expect(waiting).toHaveLength(1);
    await maker.end();
    const told = (await events()).slice(before);
    const named = (all: readonly any[]): string[] =>
      all.filter(({ type }) => type === 'chain.reverted').flatMap(({ data }) => data.event_ids);
    const undone = told
      .slice(
        0,
        told.findIndex(({ type }) => type === 'chain.reverted'),
      )
      .map(({ id }): string => id);
    expect(undone.length).toBeGreaterThan(2);
    expect(named(told).toSorted()).toEqual(undone.toSorted());
    await chain.anvil.rpc('evm_revert', snapshot);
    await chain.anvil.mine(4);
    await app.index();
    expect(named((await events()).slice(before + told.length))).toEqual([]);
    await expectModelToHold(tree);
  });

  it('of more events than one can name makes several, each below 4 KB', async () => {
    const tree = await market.hired(buyer, worker);
    await app.index();
    const snapshot = await chain.anvil.rpc('evm_snapshot');
    const height = await chain.anvil.blockNumber();
    for (let index = 2; index < 30; index += 1) {
      const child = await market.hireBelow(tree, index, worker, other, 1_000_000n);
      await chain.abandon(tree, child, other.wallet);
    }
    await app.index();
    const before = await events();
    await chain.anvil.rpc('evm_revert', snapshot);
    await chain.anvil.mine((await chain.anvil.blockNumber()) - height + 1);
    await app.index();
    const reverted = (await events()).slice(before.length);
    expect(reverted.length).toBeGreaterThan(2);
    for (const event of reverted.filter(({ type }) => type === 'chain.reverted')) {
      expect(JSON.stringify(event).length).toBeLessThan(4_096);
    }
    await expectModelToHold(tree);
  });
});

describe('an index that is made again', () => {
  const forget = () =>
    market.dataSource.query(
      `TRUNCATE chain_facts, chain_blocks, escrow_trees, escrow_nodes, deliveries, receipts, settlements, payouts, buyer_evidence;
       DELETE FROM task_parties WHERE role IN ('hirer', 'worker')`,
    );

  it('tells nothing twice, also while it has not read everything', async () => {
    const tree = await released();
    await app.index();
    const before = await events();
    await market.dataSource.query('TRUNCATE chain_facts, chain_blocks');
    await fixture.close(app);
    const behind = await fixture.open({ chainConfirmations: 4 });
    await behind.index();
    // What is shown stays, until the index has read as much again.
    expect(await market.nodeStates(tree.taskId)).toEqual({ 1: 'released', '1-2': 'released' });
    expect((await market.task(tree.taskId)).status).toBe('resolved');
    await fixture.close(behind);
    app = await fixture.open();
    await app.index();
    expect(await events()).toEqual(before);
    await fixture.close(app);
    await forget();
    app = await fixture.open();
    await app.index();
    expect(await market.nodeStates(tree.taskId)).toEqual({ 1: 'released', '1-2': 'released' });
    expect(await events()).toEqual(before);
    await chain.withdrawEarnings(tree, 1n, 60_000_000n, worker.wallet);
    await app.index();
    expect(brief((await events()).slice(before.length))).toEqual(['earnings.withdrawn 1']);
  });
});

it('a tree that was set aside tells everything once, when it is published', async () => {
  const tree = await market.hired(buyer, worker);
  await app.index();
  const before = await events();
  let faults = 2;
  app.get(DomainEvents).on('trees_changed', async () => {
    if (faults-- > 0) throw new InconsistentFactsError('made up');
  });
  await chain.deliver(tree, 1n, worker.wallet);
  await app.index();
  expect(await events()).toEqual(before);
  await eventually(async () => {
    app.clock.aheadMs += 3_600_000;
    await app.index();
    return (await market.nodeStates(tree.taskId))[1] === 'delivered';
  });
  expect(brief((await events()).slice(before.length))).toEqual([
    'node.delivered 1',
    'task.delivered ',
    'delivery.submitted 1_1',
  ]);
});
