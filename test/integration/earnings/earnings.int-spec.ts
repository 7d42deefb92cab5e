import { getAddress } from 'ethers';
import { childPath, pathText } from '../../../libs/kernel/src/index.js';
import { LISTED_TASKS } from '../../../src/modules/earnings/worked-nodes/earnings.sql.js';
import { HiredNodes } from '../../../src/modules/earnings/hired-nodes.js';
import { EarningsService } from '../../../src/modules/earnings/earnings.service.js';
import { WorkedNodes } from '../../../src/modules/earnings/worked-nodes/worked-nodes.js';
import { EscrowNodeEntity } from '../../../src/modules/escrow/node/escrow-node.entity.js';
import { address, BUYER, nodeRow, NOW, RIVAL, STRANGER, taskId, ulid, WORKER } from '../../support/market-rows.js';
import { ReadSide } from '../../support/read-side.js';
import { earnedOf } from '../../support/earned.js';

const PAST = new Date('2026-11-20T11:59:59.000Z');
const LATER = new Date('2026-11-22T08:00:00.000Z');

let side: ReadSide;
let earnings: EarningsService;
let worked: WorkedNodes;

beforeEach(async () => {
  side = await ReadSide.create();
  earnings = new EarningsService(side.reads, side.clock);
  worked = new WorkedNodes(side.transactions, side.clock);
  await side.task(1);
  await side.party(taskId(1), WORKER, 'worker');
});
afterEach(() => side.close());

type Change = Partial<EscrowNodeEntity>;
const RELEASED = { state: 'released', outcome: 'accepted' } as const;
const nodeId = (task: number, path: bigint) => `node_${ulid(task)}_${pathText(path)}`;

/** Inserts a node of the worker in another of its tasks. */
async function elsewhere(task: number, change: Change, path = 1n): Promise<void> {
  if (path === 1n) {
    await side.task(task);
    await side.party(taskId(task), WORKER, 'worker');
  }
  await side.insert(EscrowNodeEntity, nodeRow(path, { id: nodeId(task, path), taskId: taskId(task), ...change }));
}

/** A child of node 1 that is paid from node 1's money; unless changed, the worker works on it too. */
function child(index: number, change: Change = {}): Change {
  const path = childPath(1n, index);
  return nodeRow(path, {
    id: nodeId(1, path),
    parentNodeId: nodeId(1, 1n),
    hirerFunded: false,
    amount: 30_000_000n,
    floor: 20_000_000n,
    ...change,
  });
}

const sums = async (accountId = WORKER) => {
  const { pending, claimable, paid } = await earnedOf(earnings, accountId);
  return [pending, claimable, paid];
};

describe('the earnings of an account', () => {
  it('are nothing, in the form of the interface, for who has none', async () => {
    const nothing = { pending: '0.00', claimable: '0.00', paid: '0.00', currency: 'USDC', by_task: [] };
    const expected = JSON.stringify(nothing);
    expect((await earnings.get(STRANGER)).text).toBe(expected);
    expect((await earnings.get(WORKER)).text).toBe(expected);
  });

  it.each<[string, Change, [pending: string, claimable: string, paid: string]]>([
    ['funded', {}, ['100.00', '0.00', '0.00']],
    ['delivered', { state: 'delivered', clock: LATER }, ['100.00', '0.00', '0.00']],
    ['delivered, in the last second', { state: 'delivered', clock: new Date(NOW) }, ['100.00', '0.00', '0.00']],
    ['accepted by silence', { state: 'delivered', clock: PAST }, ['0.00', '100.00', '0.00']],
    ['rejected, to be contested', { state: 'rejected', clock: new Date(NOW) }, ['100.00', '0.00', '0.00']],
    ['rejected for good', { state: 'rejected', clock: PAST }, ['0.00', '0.00', '0.00']],
    ['disputed', { state: 'disputed', clock: LATER }, ['100.00', '0.00', '0.00']],
    ['split by silence', { state: 'disputed', clock: PAST, floor: 20_000_001n }, ['0.00', '20.000001', '0.00']],
    ['given back by silence', { state: 'disputed', clock: PAST, floor: 0n }, ['0.00', '0.00', '0.00']],
    [
      'split by silence, what is promised kept',
      { state: 'disputed', clock: PAST, allocated: 50_000_000n },
      ['0.00', '0.00', '0.00'],
    ],
    ['released', RELEASED, ['0.00', '100.00', '0.00']],
    ['released, with a part promised', { ...RELEASED, allocated: 30_000_001n }, ['0.00', '69.999999', '0.00']],
    [
      'released and partly withdrawn',
      { ...RELEASED, pool: 40_000_000n, withdrawn: 60_000_000n },
      ['0.00', '40.00', '60.00'],
    ],
    ['released and withdrawn', { ...RELEASED, pool: 0n, withdrawn: 100_000_000n }, ['0.00', '0.00', '100.00']],
    ['refunded', { state: 'refunded', outcome: 'non_delivery' }, ['0.00', '0.00', '0.00']],
  ])('count a node that is %s', async (_what, change, expected) => {
    await side.insert(EscrowNodeEntity, nodeRow(1n, change));
    expect(await sums()).toEqual(expected);
  });

  it('count what a division left, and what was paid out of it', async () => {
    const divided = { state: 'released', outcome: 'agreed', pool: 15_000_000n, withdrawn: 25_000_000n } as const;
    await side.insert(EscrowNodeEntity, nodeRow(1n, divided));
    expect(await sums()).toEqual(['0.00', '15.00', '25.00']);
  });

  it.each<[string, Change, [pending: string, claimable: string]]>([
    ['funded', {}, ['30.00', '0.00']],
    ['delivered', { state: 'delivered', clock: LATER }, ['30.00', '0.00']],
    ['accepted by silence', { state: 'delivered', clock: PAST }, ['0.00', '30.00']],
    ['released', RELEASED, ['0.00', '30.00']],
    ['rejected for good', { state: 'rejected', clock: PAST }, ['0.00', '0.00']],
    ['given back by a silent arbiter', { state: 'disputed', clock: PAST, floor: 0n }, ['0.00', '0.00']],
    ['refunded', { state: 'refunded', outcome: 'abandoned' }, ['0.00', '0.00']],
  ])('hold a released node while the node that it is paid from is %s', async (_what, above, expected) => {
    const root = nodeRow(1n, { workerAccountId: RIVAL, allocated: 30_000_000n, ...above });
    await side.insert(EscrowNodeEntity, root, child(2, RELEASED));
    expect((await sums()).slice(0, 2)).toEqual(expected);
  });

  it.each<[string, Change, [pending: string, claimable: string]]>([
    ['rejected, to be contested', { state: 'rejected', clock: new Date(NOW) }, ['0.00', '70.00']],
    ['rejected for good', { state: 'rejected', clock: PAST }, ['0.00', '100.00']],
    ['disputed', { state: 'disputed', clock: LATER }, ['0.00', '70.00']],
    ['split by silence', { state: 'disputed', clock: PAST }, ['0.00', '80.00']],
    [
      'split by silence, whatever it has promised',
      { state: 'disputed', clock: PAST, allocated: 20_000_000n },
      ['0.00', '80.00'],
    ],
    ['split by silence, all of it kept', { state: 'disputed', clock: PAST, floor: 30_000_000n }, ['0.00', '70.00']],
    ['given back by silence', { state: 'disputed', clock: PAST, floor: 0n }, ['0.00', '100.00']],
    ['accepted by silence', { state: 'delivered', clock: PAST }, ['0.00', '70.00']],
    ['overdue, which needs a claim', { clock: PAST }, ['0.00', '70.00']],
    [
      'rejected for good, but paid by its hirer',
      { state: 'rejected', clock: PAST, hirerFunded: true },
      ['0.00', '70.00'],
    ],
  ])('count what comes back from a node below that is %s', async (_what, below, expected) => {
    const root = nodeRow(1n, { ...RELEASED, allocated: 30_000_000n });
    await side.insert(EscrowNodeEntity, root, child(2, { workerAccountId: RIVAL, ...below }));
    expect((await sums()).slice(0, 2)).toEqual(expected);
  });

  it('hold what comes back from below with the node itself', async () => {
    const below = { workerAccountId: RIVAL, state: 'rejected', clock: PAST } as const;
    await side.insert(
      EscrowNodeEntity,
      nodeRow(1n, { state: 'delivered', clock: LATER, allocated: 60_000_000n }),
      child(2, below),
      child(3, below),
    );
    expect(await sums()).toEqual(['100.00', '0.00', '0.00']);
    side.clock.set('2026-11-22T08:00:01.000Z');
    expect(await sums()).toEqual(['0.00', '100.00', '0.00']);
  });

  it('do not hang on a node above when the hirer paid with its own money', async () => {
    const root = nodeRow(1n, { workerAccountId: RIVAL, state: 'refunded', outcome: 'non_delivery' });
    await side.insert(EscrowNodeEntity, root, child(2, { ...RELEASED, hirerFunded: true }));
    expect(await sums()).toEqual(['0.00', '30.00', '0.00']);
  });

  it('count nothing of others, not even of a hirer or buyer in the same tree', async () => {
    await side.party(taskId(1), RIVAL, 'worker');
    await side.insert(EscrowNodeEntity, nodeRow(1n, RELEASED), child(2, { ...RELEASED, workerAccountId: RIVAL }));
    expect(await sums(RIVAL)).toEqual(['0.00', '30.00', '0.00']);
    expect(await sums(BUYER)).toEqual(['0.00', '0.00', '0.00']);
  });

  it('are listed by task, newest first, where something is left, while the sums are over all', async () => {
    await side.insert(EscrowNodeEntity, nodeRow(1n, { ...RELEASED, allocated: 30_000_000n }), child(2));
    await elsewhere(2, { ...RELEASED, pool: 0n, withdrawn: 100_000_000n });
    for (let task = 3; task <= LISTED_TASKS + 3; task += 1)
      await elsewhere(task, { ...RELEASED, pool: 1_000_000n, withdrawn: 99_000_000n });
    const { by_task: listed, ...all } = await earnedOf(earnings, WORKER);
    expect(all).toEqual({ pending: '30.00', claimable: '171.00', paid: '10099.00', currency: 'USDC' });
    expect(listed).toHaveLength(LISTED_TASKS);
    expect(listed[0]).toEqual({ task_id: taskId(LISTED_TASKS + 3), pending: '0.00', claimable: '1.00' });
    expect(listed.map(({ task_id }) => task_id)).toEqual(
      listed
        .map(({ task_id }) => task_id)
        .toSorted()
        .toReversed(),
    );
    expect(listed.map(({ task_id }) => task_id)).not.toContain(taskId(2));
  });
});

describe('where there is most to withdraw', () => {
  const best = async (scope: { taskId?: string; nodeId?: string } = {}) => {
    const standing = await worked.standing(WORKER, scope);
    return standing?.node?.id ?? null;
  };

  it('is the node with most in the tree with most', async () => {
    await side.insert(EscrowNodeEntity, nodeRow(1n, { ...RELEASED, pool: 50_000_000n }));
    await elsewhere(2, { ...RELEASED, pool: 30_000_000n });
    await elsewhere(2, { ...RELEASED, pool: 31_000_000n }, 2n);
    await elsewhere(3, { pool: 900_000_000n });
    expect(await best()).toBe(nodeId(2, 2n));
    expect(await best({ taskId: taskId(1) })).toBe(nodeId(1, 1n));
    expect(await best({ taskId: taskId(2), nodeId: nodeId(2, 1n) })).toBe(nodeId(2, 1n));
    expect(await best({ taskId: taskId(3) })).toBeNull();
  });

  it('is nowhere while all is pending; the next moment at which time decides is known', async () => {
    await side.insert(
      EscrowNodeEntity,
      nodeRow(1n, { state: 'delivered', clock: LATER, allocated: 30_000_000n }),
      child(2, RELEASED),
    );
    const standing = { node: null, pending: 100_000_000n, nextDue: LATER.getTime() / 1000 };
    expect(await worked.standing(WORKER, {})).toEqual(standing);
    expect(await worked.standing(WORKER, { taskId: taskId(1), nodeId: nodeId(1, childPath(1n, 2)) })).toEqual({
      ...standing,
      pending: 30_000_000n,
      nextDue: null,
    });
  });

  it('is a node out of which all is taken but what has come back from below, by the nodes named there', async () => {
    const below = { workerAccountId: RIVAL, state: 'rejected', clock: PAST } as const;
    const root = nodeRow(1n, { ...RELEASED, pool: 60_000_000n, allocated: 60_000_000n });
    await side.insert(EscrowNodeEntity, root, child(2, below), child(4, { ...below, clock: LATER }), child(3, below));
    await side.insert(EscrowNodeEntity, child(5, { ...below, hirerFunded: true }));
    const standing = await worked.standing(WORKER, {});
    if (!standing?.node) throw new TypeError('There is something to take');
    expect(standing.node.id).toBe(nodeId(1, 1n));
    expect(await worked.returnsTo(standing.node)).toEqual([childPath(1n, 2), childPath(1n, 3)]);
    await side.dataSource.manager.update(EscrowNodeEntity, { taskId: taskId(1) }, { clock: LATER });
    expect(await best()).toBeNull();
  });

  it('names the wallet of the node, and the escrow of its tree', async () => {
    await side.insert(EscrowNodeEntity, nodeRow(1n, RELEASED));
    const standing = await worked.standing(WORKER, {});
    expect(standing?.node).toMatchObject({ path: 1n, workerWallet: address(12), escrowAddress: address(1_001) });
    expect(await worked.standing(STRANGER, {})).toBeNull();
  });
});

describe('the nodes that an account has paid for', () => {
  it.each<[string, Change, bigint]>([
    ['rejected', { state: 'rejected' }, 100_000_000n],
    ['disputed', { state: 'disputed', floor: 30_000_000n }, 70_000_000n],
    ['disputed, with the price as its floor', { state: 'disputed', floor: 100_000_000n }, 0n],
  ])('say what comes back to the wallet: %s', async (_state, change, returned) => {
    await side.insert(EscrowNodeEntity, nodeRow(1n, { ...change, clock: PAST }));
    const hired = new HiredNodes(side.transactions);
    const expected = { path: 1n, hirerWallet: getAddress(address(1)), clock: PAST.getTime() / 1000, returned };
    expect(await hired.ofTask(BUYER, taskId(1))).toMatchObject([expected]);
    expect(await hired.ofTask(WORKER, taskId(1))).toEqual([]);
  });
});
