import { id } from 'ethers';
import { asHex, checksumAddress } from '../abi/addresses.js';
import type { EscrowFact } from './escrow-events.js';
import { FundingMode, NodeState, Outcome } from './node-states.js';
import { taskStatusOf } from './task-status.js';
import { InconsistentFactsError, projectTree } from './project-tree.js';
import type { ChainedFact } from './tree-projection.types.js';

const account = (name: string) => checksumAddress(`0x${id(name).slice(26)}`);
const hash = (name: string) => asHex(id(name));
const [buyer, arbiter, worker, child] = ['buyer', 'arbiter', 'worker', 'child'].map(account) as ReturnType<
  typeof account
>[] as [`0x${string}`, `0x${string}`, `0x${string}`, `0x${string}`];
const DUE = 1_900_000_000;

const treeCreated: EscrowFact = {
  type: 'TreeCreated',
  treeId: hash('tree'),
  escrow: account('escrow'),
  buyer,
  arbiter,
};
const taskCreated: EscrowFact = { type: 'TaskCreated', buyer, arbiter, budget: 100n, termsHash: hash('terms') };
const opened = (nodeId: number, parentNodeId = 0, amount = 100n): EscrowFact => ({
  type: 'NodeOpened',
  nodeId,
  parentNodeId,
  worker: parentNodeId === 0 ? worker : child,
  amount,
  deliverBy: DUE,
  acceptWindow: 172_800,
  hirerFunded: parentNodeId === 0,
  termsHash: hash('terms'),
});
const funded = (nodeId: number, amount = 100n, mode: FundingMode = FundingMode.Allowance): EscrowFact => ({
  type: 'NodeFunded',
  nodeId,
  payer: buyer,
  amount,
  mode,
});
const delivered = (nodeId: number, artifact = 'artifact'): EscrowFact => ({
  type: 'NodeDelivered',
  nodeId,
  artifactHash: hash(artifact),
  acceptBy: DUE + 10,
});
const rejected = (nodeId: number): EscrowFact => ({
  type: 'NodeRejected',
  nodeId,
  reasonHash: hash('reason'),
  contestBy: DUE + 20,
});
const disputed = (nodeId: number): EscrowFact => ({
  type: 'NodeDisputed',
  nodeId,
  evidenceHash: hash('evidence'),
  ruleBy: DUE + 30,
});
const settled = (nodeId: number, workerShare = 100n, hirerShare = 0n): EscrowFact => ({
  type: 'NodeSettled',
  nodeId,
  workerShare,
  hirerShare,
  outcome: Outcome.Accepted,
});
const refunded = (nodeId: number, amount = 100n, outcome: Outcome = Outcome.NonDelivery): EscrowFact => ({
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

test('no facts are a draft without books', () => {
  const tree = history();
  expect(tree).toMatchObject({ parties: null, created: null, nodes: [] });
  expect(tree.ledger).toEqual({ funded: 0n, held: 0n, paid: 0n, refundable: 0n });
  expect(taskStatusOf(tree)).toBe('draft');
});

test('a deployed tree whose terms are not on chain is still a draft', () => {
  const tree = history(treeCreated);
  expect(tree.parties).toEqual({ buyer, arbiter });
  expect(taskStatusOf(tree)).toBe('draft');
});

test('the task is created by its first create_task; another one later changes nothing', () => {
  const tree = history(treeCreated, taskCreated, { ...taskCreated, budget: 7n });
  expect(tree.created).toEqual({ budget: 100n, termsHash: hash('terms'), ...ref(1) });
});

test('a selected node waits for its money and is not in the books', () => {
  const tree = history(treeCreated, taskCreated, opened(1));
  expect(tree.selectedNodes).toEqual([1]);
  expect(tree.nodes).toMatchObject([{ number: 1, hirer: buyer, worker, fundedAt: null, openedAt: ref(2) }]);
  expect(tree.ledger.held).toBe(0n);
});

test('funding, delivery, acceptance and withdrawal each say when and where they happened', () => {
  const withdrawal = { type: 'EarningsWithdrawn', nodeId: 1, worker, recipient: child, amount: 40n } as const;
  const tree = history(treeCreated, taskCreated, opened(1), funded(1), delivered(1), settled(1), withdrawal);
  expect(tree.nodes).toMatchObject([
    { state: NodeState.Settled, outcome: Outcome.Accepted, fundedAt: ref(3), settledAt: ref(5), workerShare: 100n },
  ]);
  expect(tree.nodes).toMatchObject([{ pool: 60n, withdrawn: 40n, amount: 100n, artifactHash: hash('artifact') }]);
  expect(tree.withdrawals).toEqual([{ nodeNumber: 1, worker, recipient: child, amount: 40n, withdrawn: ref(6) }]);
  expect(tree.ledger).toEqual({ funded: 100n, held: 60n, paid: 40n, refundable: 0n });
});

test('each delivery of a node is kept, with what became of it', () => {
  const facts = [treeCreated, opened(1), funded(1), delivered(1, 'first'), rejected(1), delivered(1, 'second')];
  const tree = history(...facts, settled(1));
  expect(tree.deliveries).toEqual([
    {
      nodeNumber: 1,
      revision: 1,
      artifactHash: hash('first'),
      acceptBy: DUE + 10,
      status: 'rejected',
      reasonHash: hash('reason'),
      delivered: ref(3),
    },
    {
      nodeNumber: 1,
      revision: 2,
      artifactHash: hash('second'),
      acceptBy: DUE + 10,
      status: 'released',
      reasonHash: null,
      delivered: ref(5),
    },
  ]);
});

test('a ruling against the worker leaves the delivery rejected, one for the worker releases it', () => {
  const facts = [treeCreated, opened(1), funded(1), delivered(1), rejected(1), disputed(1)];
  expect(history(...facts, refunded(1, 100n, Outcome.Ruled)).deliveries[0]!.status).toBe('rejected');
  expect(history(...facts, settled(1, 50n, 50n)).deliveries[0]!.status).toBe('released');
});

test('a child is carved out of its parent and hired by the parent worker', () => {
  const facts = [treeCreated, opened(1), funded(1), opened(2, 1, 40n), funded(2, 40n, FundingMode.ParentNode)];
  const tree = history(...facts);
  expect(tree.nodes).toMatchObject([
    { number: 1, pool: 100n, allocated: 40n },
    { number: 2, parentNumber: 1, hirer: worker, worker: child, pool: 40n },
  ]);
  expect(tree.ledger).toEqual({ funded: 100n, held: 100n, paid: 0n, refundable: 0n });
});

test('an abandoned child gives its money back to the parent pool, not to a wallet', () => {
  const facts = [treeCreated, opened(1), funded(1), opened(2, 1, 40n), funded(2, 40n, FundingMode.ParentNode)];
  const tree = history(...facts, refunded(2, 40n, Outcome.Abandoned));
  expect(tree.nodes).toMatchObject([{ allocated: 0n }, { state: NodeState.Abandoned, outcome: Outcome.Abandoned }]);
  expect(tree.refundOf.size).toBe(0);
  expect(tree.settlements).toMatchObject([{ nodeNumber: 2, kind: 'refunded', hirerShare: 40n, workerShare: 0n }]);
  expect(tree.ledger.refundable).toBe(0n);
});

test('a refunded root can be paid out, or pay for the next root of the same tree', () => {
  const facts = [treeCreated, taskCreated, opened(1), funded(1), refunded(1)];
  const paid = history(...facts, { type: 'RefundWithdrawn', account: buyer, recipient: child, amount: 100n });
  expect(paid.refunds).toEqual([{ account: buyer, recipient: child, amount: 100n, withdrawn: ref(5) }]);
  expect(paid.ledger).toEqual({ funded: 100n, held: 0n, paid: 100n, refundable: 0n });
  expect(paid.refundOf.size).toBe(0);

  const again = history(...facts, opened(2), funded(2, 100n, FundingMode.RefundBalance));
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
  ['a node before the buyer is known', [opened(1)]],
  ['a task of another buyer', [treeCreated, { ...taskCreated, buyer: worker }]],
  ['a task with another arbiter', [treeCreated, { ...taskCreated, arbiter: worker }]],
  [
    'a child that gives its parent back what it never took',
    [treeCreated, opened(1), funded(1), opened(2, 1, 40n), funded(2, 40n), refunded(2, 40n)],
  ],
  ['a node opened twice', [treeCreated, opened(1), opened(1)]],
  ['a child without its parent', [treeCreated, opened(2, 1)]],
  ['money for an unknown node', [treeCreated, funded(1)]],
  ['money twice', [treeCreated, opened(1), funded(1), funded(1)]],
  ['another amount than agreed', [treeCreated, opened(1), funded(1, 99n)]],
  ['a delivery before the money', [treeCreated, opened(1), delivered(1)]],
  ['a delivery while one waits', [treeCreated, opened(1), funded(1), delivered(1), delivered(1)]],
  ['a rejection of nothing', [treeCreated, opened(1), funded(1), rejected(1)]],
  ['a dispute without rejection', [treeCreated, opened(1), funded(1), delivered(1), disputed(1)]],
  ['two settlements', [treeCreated, opened(1), funded(1), delivered(1), settled(1), settled(1)]],
  ['shares that are not the pool', [treeCreated, opened(1), funded(1), settled(1, 60n, 41n)]],
  ['a refund that is not the pool', [treeCreated, opened(1), funded(1), refunded(1, 99n)]],
  ['a refund after the settlement', [treeCreated, opened(1), funded(1), settled(1), refunded(1)]],
  [
    'a child larger than its parent',
    [treeCreated, opened(1), funded(1), opened(2, 1, 101n), funded(2, 101n, FundingMode.ParentNode)],
  ],
  [
    'a withdrawal of a refund that nobody had',
    [treeCreated, { type: 'RefundWithdrawn', account: buyer, recipient: buyer, amount: 1n }],
  ],
  [
    'a withdrawal beyond the pool',
    [
      treeCreated,
      opened(1),
      funded(1),
      settled(1),
      { type: 'EarningsWithdrawn', nodeId: 1, worker, recipient: worker, amount: 101n },
    ],
  ],
])('%s is not the history of a tree', (_what, facts) => {
  expect(() => history(...facts)).toThrow(InconsistentFactsError);
});

test('facts that are repeated or out of order are not the history of a tree', () => {
  const facts = [treeCreated, taskCreated, opened(1)].map(chained);
  expect(() => projectTree([facts[0]!, facts[2]!, facts[1]!])).toThrow(InconsistentFactsError);
  expect(() => projectTree([facts[0]!, facts[1]!, facts[1]!])).toThrow(InconsistentFactsError);
  const sameBlock = facts.map((fact, index) => ({ ...fact, blockNumber: 10, logIndex: 5 - index }));
  expect(() => projectTree(sameBlock)).toThrow(InconsistentFactsError);
});
