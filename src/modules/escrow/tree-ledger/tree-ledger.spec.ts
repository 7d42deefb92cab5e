import { NodeState, type StoredNode } from '#libs/contracts';
import { childPath } from '#libs/kernel';
import {
  type ChainTree,
  compareTree,
  type IndexedNode,
  type IndexedTree,
  type LedgerDifference,
} from './tree-ledger.js';

const WORKER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const BUYER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const ARTIFACT = `0x${'ab'.repeat(32)}` as const;
const NONE = `0x${'00'.repeat(32)}` as const;
const CLOCK = 1_795_000_000;
const CHILD = childPath(1n, 2);

/**
 * A `delivered` root of 100 with a `released` child that got 30 of it, and a root of 50 that was refunded to the buyer.
 */
const INDEXED_NODES: readonly IndexedNode[] = [
  row(1n, { pool: 100n, allocated: 30n, state: 'delivered' }),
  row(CHILD, { pool: 30n, state: 'released', outcome: 'accepted', hirerFunded: false }),
  row(3n, { pool: 50n, state: 'refunded', outcome: 'abandoned', artifactHash: null }),
];
const BOOKS = { funded: 150n, held: 100n, paid: 0n, refundable: 50n };

function row(path: bigint, own: Partial<IndexedNode>): IndexedNode {
  return {
    path,
    worker: WORKER,
    pool: 0n,
    allocated: 0n,
    floor: 50n,
    version: 2,
    revisions: 0,
    maxRevisions: 3,
    payOut: false,
    deliverBy: CLOCK,
    clock: CLOCK,
    acceptWindow: 259_200,
    state: 'funded',
    outcome: null,
    hirerFunded: true,
    artifactHash: ARTIFACT,
    ...own,
  };
}

const STATES = {
  funded: NodeState.Funded,
  delivered: NodeState.Delivered,
  rejected: NodeState.Rejected,
  disputed: NodeState.Disputed,
  released: NodeState.Settled,
  refunded: NodeState.Refunded,
};

function storedOf(node: IndexedNode): StoredNode {
  return {
    worker: WORKER,
    amount: node.pool,
    allocated: node.allocated,
    deliverBy: node.deliverBy,
    clock: node.clock,
    floor: node.floor,
    version: node.version,
    revisions: node.revisions,
    maxRevisions: node.maxRevisions,
    payOut: node.payOut,
    acceptWindow: node.acceptWindow,
    state: node.outcome === 'abandoned' ? NodeState.Abandoned : STATES[node.state],
    hirerFunded: node.hirerFunded,
    artifactHash: node.artifactHash === null ? NONE : ARTIFACT,
  };
}

function indexed(own: Partial<IndexedTree> = {}): IndexedTree {
  const facts = {
    books: BOOKS,
    refunds: new Map([
      [BUYER, 50n],
      [WORKER, 0n],
    ]),
    funded: INDEXED_NODES.map(({ path }) => path),
  };
  return { taskId: 'task_1', books: BOOKS, nodes: INDEXED_NODES, facts, ...own };
}

function onChain(own: Partial<ChainTree> = {}): ChainTree {
  return {
    isDeployed: true,
    balance: 150n,
    nodes: new Map(INDEXED_NODES.map((node) => [node.path, storedOf(node)])),
    refunds: new Map([
      [BUYER, 50n],
      [WORKER, 0n],
    ]),
    ...own,
  };
}

/** The chain's state with one changed node. */
function withNode(path: bigint, change: Partial<StoredNode>): ChainTree {
  const nodes = new Map(onChain().nodes);
  nodes.set(path, { ...nodes.get(path)!, ...change });
  return onChain({ nodes });
}

const linesOf = (differences: readonly LedgerDifference[]) =>
  differences.map(({ where, what, index, chain }) => `${where} ${what}: ${index} ${chain}`);
const found = (tree: IndexedTree, chain: ChainTree) => linesOf(compareTree(tree, chain).differences);

describe('the comparison of a tree', () => {
  it('finds nothing where index and chain are equal', () => {
    expect(compareTree(indexed(), onChain())).toEqual({ differences: [], surplus: 0n });
  });

  it('finds no difference but a surplus when tokens were sent to the escrow directly', () => {
    expect(compareTree(indexed(), onChain({ balance: 157n }))).toEqual({ differences: [], surplus: 7n });
  });

  it('finds tokens that are missing, to the base unit', () => {
    expect(found(indexed(), onChain({ balance: 149n }))).toEqual(['tree balance: 150 149']);
  });

  it.each([
    ['held', { held: 99n, funded: 149n }, ['tree held: 99 100', 'tree funded by its events: 149 150']],
    [
      'held and the tokens that came by themselves',
      { held: 99n, paid: 1n },
      ['tree held: 99 100', 'tree paid by its events: 1 0'],
    ],
    [
      'refundable',
      { refundable: 51n, funded: 151n },
      ['tree refundable: 51 50', 'tree funded by its events: 151 150', 'tree balance: 151 150'],
    ],
    ['funded', { funded: 151n }, ['tree funded: 151 150', 'tree funded by its events: 151 150']],
    [
      'what was paid',
      { paid: 5n, funded: 155n },
      ['tree funded by its events: 155 150', 'tree paid by its events: 5 0'],
    ],
  ])('finds one wrong unit in %s, whatever the other sums are', (_what, change, lines) => {
    expect(found(indexed({ books: { ...BOOKS, ...change } }), onChain())).toEqual(lines);
  });

  it('finds a balance that belongs to another wallet on the chain than in the events', () => {
    const refunds = new Map([
      [BUYER, 49n],
      [WORKER, 1n],
    ]);
    expect(found(indexed(), onChain({ refunds }))).toEqual([
      `tree refund of ${BUYER}: 50 49`,
      `tree refund of ${WORKER}: 0 1`,
    ]);
  });

  it.each<[string, bigint, Partial<StoredNode>, string[]]>([
    ['another state', 1n, { state: NodeState.Disputed }, ['1 state: delivered disputed']],
    ['a refund where the index has an abandonment', 3n, { state: NodeState.Refunded }, ['3 state: abandoned refunded']],
    ['one unit less in a pool', 1n, { amount: 99n }, ['tree held: 100 99', '1 pool: 100 99']],
    ['one unit more promised', 1n, { allocated: 31n }, ['tree held: 100 99', '1 allocated: 30 31']],
    ['one unit less in a node that went back', 3n, { amount: 49n }, ['3 pool: 50 49']],
    ['another clock', 1n, { clock: CLOCK + 1 }, [`1 clock: ${CLOCK} ${CLOCK + 1}`]],
    ['another deadline', 1n, { deliverBy: CLOCK + 1 }, [`1 delivery deadline: ${CLOCK} ${CLOCK + 1}`]],
    ['another accept window', 1n, { acceptWindow: 1 }, ['1 accept window: 259200 1']],
    ['another worker', 1n, { worker: BUYER }, [`1 worker: ${WORKER} ${BUYER}`]],
    ['another artifact', 1n, { artifactHash: NONE }, [`1 artifact: ${ARTIFACT} ${NONE}`]],
    ['another floor', 1n, { floor: 51n }, ['1 floor: 50 51']],
    ['another version', 1n, { version: 3 }, ['1 version: 2 3']],
    ['another number of revisions', 1n, { revisions: 1 }, ['1 revisions: 0 1']],
    ['another bound of revisions', 1n, { maxRevisions: 4 }, ['1 most revisions: 3 4']],
    ['another wish to be paid out', 1n, { payOut: true }, ['1 pays out: false true']],
    ['another payer', CHILD, { hirerFunded: true }, ['1-2 paid by its hirer: false true']],
  ])('finds %s', (_what, path, change, lines) => {
    expect(found(indexed(), withNode(path, change))).toEqual(lines);
  });

  it('counts nothing as held below a node whose money went back', () => {
    const nodes = [
      row(1n, { pool: 100n, allocated: 30n, state: 'refunded', outcome: 'non_delivery' }),
      INDEXED_NODES[1]!,
      INDEXED_NODES[2]!,
    ];
    const books = { funded: 150n, held: 0n, paid: 0n, refundable: 150n };
    const refunds = new Map([[BUYER, 150n]]);
    const facts = { ...indexed().facts!, books, refunds };
    const chain = onChain({ nodes: new Map(nodes.map((node) => [node.path, storedOf(node)])), refunds });
    expect(found(indexed({ books, nodes, facts }), chain)).toEqual([]);
  });

  it('finds a node that only the index or only the chain has', () => {
    const [first, , third] = INDEXED_NODES;
    expect(found(indexed({ nodes: [first!, third!] }), onChain())).toEqual(['1-2 state: absent released']);
    const nodes = new Map(onChain().nodes).set(CHILD, null);
    expect(found(indexed(), onChain({ nodes }))).toEqual(['tree held: 100 70', '1-2 state: released absent']);
  });

  it('finds a node that neither the rows nor the chain have, but the events', () => {
    const funded = [...indexed().facts!.funded, 4n];
    const tree = indexed({ facts: { ...indexed().facts!, funded } });
    const chain = onChain({ nodes: new Map(onChain().nodes).set(4n, null) });
    expect(found(tree, chain)).toEqual(['4 state: absent funded by its events']);
  });

  it('counts nothing as held for a child without the node that its money comes from', () => {
    const nodes = new Map(onChain().nodes).set(1n, null);
    expect(found(indexed(), onChain({ nodes }))).toEqual(['tree held: 100 0', '1 state: delivered absent']);
  });

  it('finds an escrow that only the index or only the chain knows', () => {
    const empty = { books: null, nodes: [], facts: null };
    const nothing = { nodes: new Map(), refunds: new Map() };
    expect(found(indexed(empty), onChain(nothing))).toEqual(['tree escrow: absent deployed']);
    expect(found(indexed(), onChain({ ...nothing, isDeployed: false, balance: 0n }))).toEqual([
      'tree escrow: deployed absent',
    ]);
    expect(compareTree(indexed(empty), onChain({ ...nothing, isDeployed: false, balance: 3n }))).toEqual({
      differences: [],
      surplus: 3n,
    });
  });

  it('says so when the events of a tree do not add up', () => {
    expect(found(indexed({ facts: null }), onChain())).toEqual(['tree facts: incomplete complete']);
  });
});
