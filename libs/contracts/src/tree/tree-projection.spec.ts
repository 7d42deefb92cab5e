import { childPath, parentPath } from '#libs/kernel';
import { id } from 'ethers';
import { asHex, checksumAddress } from '../abi/addresses.js';
import type { EscrowFact, EscrowFactOf } from './escrow-events.js';
import { FundingMode, NodeState, Outcome } from './node-states.js';
import { taskStatusOf } from './task-status.js';
import { projectTree } from './project-tree.js';
import { InconsistentFactsError } from './tree-fold.js';
import type { ChainedFact } from './tree-projection.types.js';

const account = (name: string) => checksumAddress(`0x${id(name).slice(26)}`);
const hash = (name: string) => asHex(id(name));
const [buyer, arbiter, worker, child] = ['buyer', 'arbiter', 'worker', 'child'].map(account) as ReturnType<
  typeof account
>[] as [`0x${string}`, `0x${string}`, `0x${string}`, `0x${string}`];
const DUE = 1_900_000_000;

const treeCreated: EscrowFactOf<'TreeCreated'> = {
  type: 'TreeCreated',
  treeId: hash('tree'),
  escrow: account('escrow'),
  buyer,
  arbiter,
};
const CHILD = childPath(1n, 5);
const funded = (
  nodeId: bigint,
  amount = 100n,
  mode: FundingMode = parentPath(nodeId) === 0n ? FundingMode.Allowance : FundingMode.ParentNode,
): EscrowFactOf<'NodeFunded'> => ({
  type: 'NodeFunded',
  nodeId,
  worker: parentPath(nodeId) === 0n ? worker : child,
  payer: parentPath(nodeId) === 0n ? buyer : worker,
  amount,
  floor: amount / 2n,
  deliverBy: DUE,
  acceptWindow: 172_800,
  maxRevisions: 1,
  hirerFunded: mode !== FundingMode.ParentNode,
  mode,
  termsHash: hash('terms'),
});
const delivered = (nodeId: bigint, artifact = 'artifact'): EscrowFact => ({
  type: 'NodeDelivered',
  nodeId,
  artifactHash: hash(artifact),
  acceptBy: DUE + 10,
  payOut: true,
});
const rejected = (nodeId: bigint): EscrowFactOf<'NodeRejected'> => ({
  type: 'NodeRejected',
  nodeId,
  reasonHash: hash('reason'),
  contestBy: DUE + 20,
});
const disputed = (nodeId: bigint): EscrowFact => ({
  type: 'NodeDisputed',
  nodeId,
  evidenceHash: hash('evidence'),
  ruleBy: DUE + 30,
});
const settled = (nodeId: bigint, workerShare = 100n, hirerShare = 0n): EscrowFact => ({
  type: 'NodeSettled',
  nodeId,
  workerShare,
  hirerShare,
  outcome: Outcome.Accepted,
});
const refunded = (nodeId: bigint, amount = 100n, outcome: Outcome = Outcome.NonDelivery): EscrowFact => ({
  type: 'NodeRefunded',
  nodeId,
  amount,
  outcome,
});

const chained = (fact: EscrowFact, index: number): ChainedFact => ({
  fact,
  blockNumber: 10 + index,
  blockHash: hash(`block ${index}`),
  blockTime: 1_800_000_000 + index,
  logIndex: index % 2,
  transactionHash: hash(`tx ${index}`),
});
const history = (...facts: EscrowFact[]) => projectTree(facts.map(chained));
const ref = (index: number) => {
  const { transactionHash, blockNumber, logIndex, blockTime: at } = chained(treeCreated, index);
  return { transactionHash, blockNumber, logIndex, at };
};

test('no facts are a tree without books', () => {
  const tree = history();
  expect(tree).toMatchObject({ parties: null, nodes: [] });
  expect(tree.ledger).toEqual({ funded: 0n, held: 0n, paid: 0n, refundable: 0n });
  expect(taskStatusOf(tree)).toBeNull();
});

test('a deployed tree has parties, and nobody who works', () => {
  const tree = history(treeCreated);
  expect(tree.parties).toEqual({ buyer, arbiter });
  expect(taskStatusOf(tree)).toBeNull();
});

test('a node is there with its money and its terms', () => {
  const tree = history(treeCreated, funded(1n));
  expect(tree.nodes).toEqual([
    {
      path: 1n,
      worker,
      hirer: buyer,
      amount: 100n,
      floor: 50n,
      pool: 100n,
      allocated: 0n,
      state: NodeState.Funded,
      outcome: null,
      deliverBy: DUE,
      clock: DUE,
      acceptWindow: 172_800,
      version: 1,
      revisions: 0,
      maxRevisions: 1,
      hirerFunded: true,
      payOut: false,
      termsHash: hash('terms'),
      artifactHash: null,
      fundedAt: ref(1),
      settledAt: null,
      workerShare: 0n,
      withdrawn: 0n,
    },
  ]);
  expect(tree.ledger).toEqual({ funded: 100n, held: 100n, paid: 0n, refundable: 0n });
});

test('funding, delivery, acceptance and withdrawal each say when and where they happened', () => {
  const withdrawal = { type: 'EarningsWithdrawn', nodeId: 1n, worker, recipient: child, amount: 40n } as const;
  const tree = history(treeCreated, funded(1n), delivered(1n), settled(1n), withdrawal);
  expect(tree.nodes).toMatchObject([
    { state: NodeState.Settled, outcome: Outcome.Accepted, fundedAt: ref(1), settledAt: ref(3), workerShare: 100n },
  ]);
  expect(tree.nodes).toMatchObject([{ pool: 60n, withdrawn: 40n, amount: 100n, artifactHash: hash('artifact') }]);
  expect(tree.withdrawals).toEqual([{ nodePath: 1n, worker, recipient: child, amount: 40n, withdrawn: ref(4) }]);
  expect(tree.ledger).toEqual({ funded: 100n, held: 60n, paid: 40n, refundable: 0n });
});

test('every transition raises the version, and a delivery after a rejection counts', () => {
  const facts = [treeCreated, funded(1n), delivered(1n), rejected(1n), delivered(1n), rejected(1n), disputed(1n)];
  const versions = facts.slice(1).map((_, at) => history(...facts.slice(0, at + 2)).nodes[0]);
  expect(versions.map((node) => [node?.version, node?.revisions])).toEqual([
    [1, 0],
    [2, 0],
    [3, 0],
    [4, 1],
    [5, 1],
    [6, 1],
  ]);
  expect(history(...facts, settled(1n, 50n, 50n)).nodes).toMatchObject([{ version: 7, payOut: true }]);
});

test('a rejection without an answer and the refund after it are one transition', () => {
  const facts = [treeCreated, funded(1n), delivered(1n)];
  const final = { ...rejected(1n), contestBy: chained(treeCreated, 3).blockTime };
  const tree = history(...facts, final, refunded(1n, 100n, Outcome.RejectionFinal));
  expect(tree.nodes).toMatchObject([{ version: 3, state: NodeState.Refunded, clock: DUE + 10 }]);
  expect(tree.deliveries).toMatchObject([{ status: 'rejected', reasonHash: hash('reason') }]);
});

test('each delivery of a node is kept, with what became of it', () => {
  const facts = [treeCreated, funded(1n), delivered(1n, 'first'), rejected(1n), delivered(1n, 'second')];
  const tree = history(...facts, settled(1n));
  expect(tree.deliveries).toEqual([
    {
      nodePath: 1n,
      revision: 1,
      artifactHash: hash('first'),
      acceptBy: DUE + 10,
      status: 'rejected',
      reasonHash: hash('reason'),
      delivered: ref(2),
    },
    {
      nodePath: 1n,
      revision: 2,
      artifactHash: hash('second'),
      acceptBy: DUE + 10,
      status: 'released',
      reasonHash: null,
      delivered: ref(4),
    },
  ]);
});

test('a ruling against the worker leaves the delivery rejected, one for the worker releases it', () => {
  const facts = [treeCreated, funded(1n), delivered(1n), rejected(1n), disputed(1n)];
  expect(history(...facts, refunded(1n, 100n, Outcome.Ruled)).deliveries[0]!.status).toBe('rejected');
  expect(history(...facts, settled(1n, 50n, 50n)).deliveries[0]!.status).toBe('released');
});

test('a child is carved out of its parent and hired by the parent worker', () => {
  const tree = history(treeCreated, funded(1n), funded(CHILD, 40n));
  expect(tree.nodes).toMatchObject([
    { path: 1n, pool: 100n, allocated: 40n },
    { path: CHILD, hirer: worker, worker: child, pool: 40n },
  ]);
  expect(tree.ledger).toEqual({ funded: 100n, held: 100n, paid: 0n, refundable: 0n });
});

test('a child that its hirer pays for takes nothing from the parent', () => {
  const tree = history(treeCreated, funded(1n), funded(CHILD, 400n, FundingMode.Permit));
  expect(tree.nodes).toMatchObject([{ allocated: 0n }, { hirerFunded: true, hirer: worker }]);
  expect(tree.ledger.funded).toBe(500n);
});

test('an abandoned child gives its money back to the parent pool, not to a wallet', () => {
  const tree = history(treeCreated, funded(1n), funded(CHILD, 40n), refunded(CHILD, 40n, Outcome.Abandoned));
  expect(tree.nodes).toMatchObject([{ allocated: 0n }, { state: NodeState.Abandoned, outcome: Outcome.Abandoned }]);
  expect(tree.refundOf.size).toBe(0);
  expect(tree.settlements).toMatchObject([{ nodePath: CHILD, kind: 'refunded', hirerShare: 40n, workerShare: 0n }]);
  expect(tree.ledger.refundable).toBe(0n);
});

test('a refunded root can be paid out, or pay for the next root of the same tree', () => {
  const facts = [treeCreated, funded(1n), refunded(1n)];
  const paid = history(...facts, { type: 'RefundWithdrawn', account: buyer, recipient: child, amount: 100n });
  expect(paid.refunds).toEqual([{ account: buyer, recipient: child, amount: 100n, withdrawn: ref(3) }]);
  expect(paid.ledger).toEqual({ funded: 100n, held: 0n, paid: 100n, refundable: 0n });
  expect(paid.refundOf.size).toBe(0);

  const again = history(...facts, funded(2n, 100n, FundingMode.RefundBalance));
  expect(again.ledger).toEqual({ funded: 100n, held: 100n, paid: 0n, refundable: 0n });
  expect(taskStatusOf(again)).toBe('funded');
});

test('consumed and cancelled nonces are listed', () => {
  const consumed = { signer: worker, nonce: 3n, requestDigest: hash('body') };
  const tree = history(
    { type: 'ActionConsumed', actionId: hash('act'), ...consumed },
    { type: 'NoncesInvalidated', signer: buyer, word: 0n, mask: 6n },
  );
  const { transactionHash, blockNumber, at } = ref(0);
  expect(tree.consumedActions).toEqual([{ actionIdHash: hash('act'), ...consumed, transactionHash, blockNumber, at }]);
  expect(tree.invalidatedNonces).toEqual([{ signer: buyer, word: 0n, mask: 6n }]);
});

test.each<[string, EscrowFact[]]>([
  ['a node before the buyer is known', [funded(1n)]],
  ['a tree of another buyer', [treeCreated, { ...treeCreated, buyer: worker }]],
  ['a tree with another arbiter', [treeCreated, { ...treeCreated, arbiter: worker }]],
  ['a node funded twice', [treeCreated, funded(1n), funded(1n)]],
  ['a child without its parent', [treeCreated, funded(CHILD, 40n)]],
  ['a child below a delivered node', [treeCreated, funded(1n), delivered(1n), funded(CHILD, 40n)]],
  ['money of another than the hirer', [treeCreated, { ...funded(1n), payer: worker }]],
  ['a root out of a parent that it has not', [treeCreated, funded(1n, 100n, FundingMode.ParentNode)]],
  [
    'a child whose hirer brought the money that the parent lost',
    [treeCreated, funded(1n), { ...funded(CHILD, 40n), hirerFunded: true }],
  ],
  ['a delivery before the money', [treeCreated, delivered(1n)]],
  ['a delivery while one waits', [treeCreated, funded(1n), delivered(1n), delivered(1n)]],
  [
    'more revisions than agreed',
    [treeCreated, funded(1n), delivered(1n), rejected(1n), delivered(1n), rejected(1n), delivered(1n)],
  ],
  ['a rejection of nothing', [treeCreated, funded(1n), rejected(1n)]],
  ['a dispute without rejection', [treeCreated, funded(1n), delivered(1n), disputed(1n)]],
  ['two settlements', [treeCreated, funded(1n), delivered(1n), settled(1n), settled(1n)]],
  ['shares that are not the pool', [treeCreated, funded(1n), settled(1n, 60n, 41n)]],
  ['a refund that is not the pool', [treeCreated, funded(1n), refunded(1n, 99n)]],
  ['a refund after the settlement', [treeCreated, funded(1n), settled(1n), refunded(1n)]],
  ['a child larger than the floor of its parent', [treeCreated, funded(1n), funded(CHILD, 51n)]],
  ['a refund balance that pays more than it holds', [treeCreated, funded(1n, 100n, FundingMode.RefundBalance)]],
  [
    'a withdrawal of a refund that nobody had',
    [treeCreated, { type: 'RefundWithdrawn', account: buyer, recipient: buyer, amount: 1n }],
  ],
  [
    'a withdrawal beyond the pool',
    [
      treeCreated,
      funded(1n),
      settled(1n),
      { type: 'EarningsWithdrawn', nodeId: 1n, worker, recipient: worker, amount: 101n },
    ],
  ],
])('%s is not the history of a tree', (_what, facts) => {
  expect(() => history(...facts)).toThrow(InconsistentFactsError);
});

test('facts that are repeated or out of order are not the history of a tree', () => {
  const facts = [treeCreated, funded(1n), delivered(1n)].map(chained);
  expect(() => projectTree([facts[0]!, facts[2]!, facts[1]!])).toThrow(InconsistentFactsError);
  expect(() => projectTree([facts[0]!, facts[1]!, facts[1]!])).toThrow(InconsistentFactsError);
  const sameBlock = facts.map((fact, index) => ({ ...fact, blockNumber: 10, logIndex: 5 - index }));
  expect(() => projectTree(sameBlock)).toThrow(InconsistentFactsError);
});
