import { id, toBeHex } from 'ethers';
import { asHex, checksumAddress } from '../abi/addresses.js';
import type { EscrowFact } from './escrow-events.js';
import { effectiveState, withdrawableOf } from './node-clock.js';
import { FundingMode, NodeState, Outcome } from './node-states.js';
import { finalSettlements } from './final-settlements.js';
import { projectTree } from './project-tree.js';
import type { ChainedFact } from './tree-projection.types.js';

const DAY = 86_400;
const STEPS = 250;
const account = (name: string) => checksumAddress(`0x${id(name).slice(26)}`);
const hash = (name: string) => asHex(id(name));
const BUYER = account('buyer');
const ARBITER = account('arbiter');
const WORKERS = ['ann', 'bob', 'cid'].map(account);

/** Deterministic pseudo-random numbers (mulberry32), so that a failing seed can be played again. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

interface ModelNode {
  id: number;
  parent: number;
  worker: string;
  hirer: string;
  amount: bigint;
  allocated: bigint;
  by: number;
  clock: number;
  state: NodeState;
  own: boolean;
}

/**
 * The contract written a second time, from the prose of docs/decisions/escrow.md#states-of-a-node,
 * docs/decisions/escrow.md#money-of-nested-nodes and by calls instead of events: it keeps storage and a token balance,
 * and logs what the contract logs. A call that the contract would refuse does nothing.
 */
class EscrowModel {
  now = 1_800_000_000;
  balance = 0n;
  readonly nodes = new Map<number, ModelNode>();
  readonly refundOf = new Map<string, bigint>();
  readonly facts: ChainedFact[] = [];

  constructor() {
    this.log({ type: 'TreeCreated', treeId: hash('tree'), escrow: account('e'), buyer: BUYER, arbiter: ARBITER });
    this.log({ type: 'TaskCreated', buyer: BUYER, arbiter: ARBITER, budget: 100n, termsHash: hash('terms') });
  }

  log(fact: EscrowFact): void {
    const blockNumber = Math.floor(this.facts.length / 3);
    const block = { blockNumber, blockHash: hash(`block ${blockNumber}`), blockTime: this.now };
    this.facts.push({ fact, ...block, logIndex: this.facts.length, transactionHash: hash(`tx ${this.facts.length}`) });
  }

  effective(node: ModelNode): NodeState {
    const timed: NodeState[] = [NodeState.Delivered, NodeState.Rejected, NodeState.Disputed];
    if (!timed.includes(node.state) || this.now <= node.clock) return node.state;
    return node.state === NodeState.Rejected ? NodeState.Refunded : NodeState.Settled;
  }

  backers(node: ModelNode): ModelNode[] {
    return node.own ? [] : [this.nodes.get(node.parent)!, ...this.backers(this.nodes.get(node.parent)!)];
  }

  isLive(node: ModelNode): boolean {
    return [node, ...this.backers(node)].every(({ state }) => state < NodeState.Refunded);
  }

  private isOpen(node: ModelNode): boolean {
    return this.backers(node).every((backer) => this.effective(backer) <= NodeState.Settled);
  }

  open(parent: number, worker: string, amount: bigint, own: boolean): void {
    const hirer = parent === 0 ? BUYER : this.nodes.get(parent)!.worker;
    const by = parent === 0 ? this.now + 30 * DAY : this.nodes.get(parent)!.by;
    const id = this.nodes.size + 1;
    const state = NodeState.Selected;
    this.nodes.set(id, { id, parent, worker, hirer, amount, allocated: 0n, by, clock: by, state, own });
    const terms = { amount, deliverBy: by, acceptWindow: 2 * DAY, hirerFunded: own, termsHash: hash('terms') };
    this.log({ type: 'NodeOpened', nodeId: id, parentNodeId: parent, worker: asHex(worker), ...terms });
  }

  fund(node: ModelNode, fromRefund: boolean): void {
    const credit = this.refundOf.get(node.hirer) ?? 0n;
    if (node.state !== NodeState.Selected || this.now > node.clock || (fromRefund && credit < node.amount)) return;
    if (fromRefund) this.refundOf.set(node.hirer, credit - node.amount);
    else this.balance += node.amount;
    this.logFunded(node, fromRefund ? FundingMode.RefundBalance : FundingMode.Authorization3009);
  }

  subcontract(parent: ModelNode, worker: string, amount: bigint, own: boolean): void {
    if (parent.state !== NodeState.Funded || this.now >= parent.by || !this.isOpen(parent)) return;
    if (amount === 0n || (!own && amount > parent.amount - parent.allocated)) return;
    this.open(parent.id, worker, amount, own);
    if (own) this.balance += amount;
    else parent.allocated += amount;
    this.logFunded(this.nodes.get(this.nodes.size)!, own ? FundingMode.Allowance : FundingMode.ParentNode);
  }

  private logFunded(node: ModelNode, mode: FundingMode): void {
    node.state = NodeState.Funded;
    this.log({ type: 'NodeFunded', nodeId: node.id, payer: asHex(node.hirer), amount: node.amount, mode });
  }

  deliver(node: ModelNode): void {
    const again = node.state === NodeState.Rejected && this.now <= node.clock;
    if ((node.state !== NodeState.Funded && !again) || this.now > node.by || !this.isOpen(node)) return;
    node.state = NodeState.Delivered;
    node.clock = this.now + 2 * DAY;
    this.log({
      type: 'NodeDelivered',
      nodeId: node.id,
      artifactHash: asHex(toBeHex(this.facts.length, 32)),
      acceptBy: node.clock,
    });
  }

  accept(node: ModelNode): void {
    const givesIn = node.state === NodeState.Rejected || node.state === NodeState.Disputed;
    if (node.state !== NodeState.Delivered && !(givesIn && this.now <= node.clock)) return;
    this.settle(node, node.amount, Outcome.Accepted);
  }

  reject(node: ModelNode): void {
    if (node.state !== NodeState.Delivered || this.now > node.clock) return;
    node.state = NodeState.Rejected;
    node.clock = Math.max(node.by, this.now + 2 * DAY);
    this.log({ type: 'NodeRejected', nodeId: node.id, reasonHash: hash('bad'), contestBy: node.clock });
  }

  dispute(node: ModelNode): void {
    if (node.state !== NodeState.Rejected || this.now > node.clock) return;
    node.state = NodeState.Disputed;
    node.clock = this.now + 30 * DAY;
    this.log({ type: 'NodeDisputed', nodeId: node.id, evidenceHash: hash('proof'), ruleBy: node.clock });
  }

  split(node: ModelNode, share: bigint, outcome: Outcome): void {
    const ruled = outcome === Outcome.Ruled;
    if (ruled && (node.state !== NodeState.Disputed || this.now > node.clock)) return;
    if (node.state < NodeState.Funded || node.state > NodeState.Disputed || share > node.amount) return;
    if (!ruled && ((node.state === NodeState.Rejected && this.now > node.clock) || share < node.allocated)) return;
    if (share === 0n) this.refund(node, NodeState.Refunded, outcome);
    else if (share >= node.allocated) this.settle(node, share, outcome);
  }

  abandon(node: ModelNode): void {
    if (node.state !== NodeState.Funded || node.allocated !== 0n) return;
    this.refund(node, NodeState.Abandoned, Outcome.Abandoned);
  }

  claim(node: ModelNode): void {
    if (node.state === NodeState.Funded && this.now > node.by)
      this.refund(node, NodeState.Refunded, Outcome.NonDelivery);
  }

  finalize(node: ModelNode): void {
    if (this.effective(node) === node.state) return;
    if (node.state === NodeState.Delivered) this.settle(node, node.amount, Outcome.AcceptWindowLapsed);
    else if (node.state === NodeState.Rejected) this.refund(node, NodeState.Refunded, Outcome.RejectionFinal);
    else this.settle(node, this.lapsedShare(node), Outcome.RulingLapsed);
  }

  private lapsedShare({ amount, allocated }: ModelNode): bigint {
    return amount / 2n < allocated ? allocated : amount / 2n;
  }

  withdrawable(node: ModelNode): bigint {
    if (![node, ...this.backers(node)].every((n) => this.effective(n) === NodeState.Settled)) return 0n;
    return (node.state === NodeState.Disputed ? this.lapsedShare(node) : node.amount) - node.allocated;
  }

  withdraw(node: ModelNode, amount: bigint): void {
    if (amount === 0n || amount > this.withdrawable(node)) return;
    this.finalize(node);
    node.amount -= amount;
    this.balance -= amount;
    const { id: nodeId, worker } = node;
    this.log({ type: 'EarningsWithdrawn', nodeId, worker: asHex(worker), recipient: account('bank'), amount });
  }

  withdrawRefund(of: string, amount: bigint): void {
    const credit = this.refundOf.get(of) ?? 0n;
    if (amount === 0n || amount > credit) return;
    this.refundOf.set(of, credit - amount);
    this.balance -= amount;
    this.log({ type: 'RefundWithdrawn', account: asHex(of), recipient: account('bank'), amount });
  }

  private settle(node: ModelNode, workerShare: bigint, outcome: Outcome): void {
    const hirerShare = node.amount - workerShare;
    node.state = NodeState.Settled;
    node.amount = workerShare;
    this.giveBack(node, hirerShare);
    this.log({ type: 'NodeSettled', nodeId: node.id, workerShare, hirerShare, outcome });
  }

  private refund(node: ModelNode, state: NodeState, outcome: Outcome): void {
    node.state = state;
    this.giveBack(node, node.amount);
    this.log({ type: 'NodeRefunded', nodeId: node.id, amount: node.amount, outcome });
  }

  private giveBack(node: ModelNode, amount: bigint): void {
    if (node.own) this.refundOf.set(node.hirer, (this.refundOf.get(node.hirer) ?? 0n) + amount);
    else this.nodes.get(node.parent)!.allocated -= amount;
  }
}

/** One random call or passage of time. */
function step(model: EscrowModel, random: (below: number) => number): void {
  const nodes = [...model.nodes.values()];
  const node = nodes[random(nodes.length)];
  const worker = WORKERS[random(WORKERS.length)]!;
  const amount = BigInt(random(60));
  if (node === undefined || random(12) === 0) return model.open(0, worker, BigInt(1 + random(100)), true);
  const calls = [
    () => model.fund(node, random(2) === 0),
    () => model.fund(node, false),
    () => model.subcontract(node, worker, amount, random(4) === 0),
    () => model.subcontract(node, worker, amount, false),
    () => model.deliver(node),
    () => model.deliver(node),
    () => model.accept(node),
    () => model.reject(node),
    () => model.reject(node),
    () => model.dispute(node),
    () => model.dispute(node),
    () => model.split(node, amount, Outcome.Ruled),
    () => model.split(node, amount, Outcome.Agreed),
    () => model.abandon(node),
    () => model.claim(node),
    () => model.finalize(node),
    () => model.withdraw(node, amount),
    () => model.withdraw(node, model.withdrawable(node)),
    () => model.withdrawRefund([BUYER, ...WORKERS][random(4)]!, amount),
    () => void (model.now += random(4) === 0 ? random(40 * DAY) : random(DAY)),
  ];
  calls[random(calls.length)]!();
}

function expectSameAsModel(model: EscrowModel): void {
  const { nodes, ledger, refundOf } = projectTree(model.facts);
  const stored = nodes.map((n) => [n.number, n.worker, n.hirer, n.pool, n.allocated, n.state, n.clock]);
  const kept = [...model.nodes.values()];
  expect(stored).toEqual(kept.map((n) => [n.id, n.worker, n.hirer, n.amount, n.allocated, n.state, n.clock]));
  expect(Object.fromEntries(refundOf)).toEqual(
    Object.fromEntries([...model.refundOf].filter(([, amount]) => amount !== 0n)),
  );
  expect(ledger.funded).toBe(ledger.held + ledger.paid + ledger.refundable);
  expect(ledger.held + ledger.refundable).toBe(model.balance);
  const funded = kept.filter((n) => n.state !== NodeState.Selected && model.isLive(n));
  expect(ledger.held).toBe(funded.reduce((sum, n) => sum + n.amount - n.allocated, 0n));
  for (const node of nodes) {
    const twin = model.nodes.get(node.number)!;
    expect(effectiveState(node, model.now)).toBe(model.effective(twin));
    expect(withdrawableOf(nodes, node, model.now)).toBe(model.withdrawable(twin));
  }
}

describe('over random legal histories', () => {
  test.each(Array.from({ length: 50 }, (_, seed) => seed))(
    'the fold is the storage of the contract and the books close after every step (seed %d)',
    (seed) => {
      const random = randomOf(seed);
      const model = new EscrowModel();
      for (let i = 0; i < STEPS; i++) {
        const known = model.facts.length;
        step(model, random);
        if (model.facts.length !== known) expectSameAsModel(model);
      }
      // A history in which nearly every call is refused would show nothing.
      expect(model.facts.length).toBeGreaterThan(STEPS / 10);
    },
  );

  test('the histories reach every type of fact about money, every state and every outcome', () => {
    const types = new Set<string>();
    const states = new Set<NodeState>();
    const outcomes = new Set<Outcome | null>();
    for (let seed = 0; seed < 50; seed++) {
      const random = randomOf(seed);
      const model = new EscrowModel();
      for (let i = 0; i < STEPS; i++) step(model, random);
      for (const { fact } of model.facts) types.add(fact.type);
      for (const node of projectTree(model.facts).nodes) {
        states.add(node.state);
        outcomes.add(node.outcome);
      }
    }
    expect(types.size).toBe(11);
    expect([...states].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(outcomes.size).toBe(Object.keys(Outcome).length + 1);
  });

  test('400 days of silence after the last call, every worker and hirer can take out all that is left', () => {
    for (let seed = 100; seed < 130; seed++) {
      const random = randomOf(seed);
      const model = new EscrowModel();
      for (let i = 0; i < STEPS; i++) step(model, random);
      model.now += 400 * DAY;
      for (const node of model.nodes.values()) model.claim(node);
      for (const node of model.nodes.values()) model.finalize(node);
      for (const node of model.nodes.values()) model.withdraw(node, model.withdrawable(node));
      for (const [of, amount] of model.refundOf) model.withdrawRefund(of, amount);
      const { ledger } = projectTree(model.facts);
      expect(ledger).toEqual({ funded: ledger.funded, held: 0n, paid: ledger.funded, refundable: 0n });
    }
  });
});

describe('a tree of very many nodes', () => {
  /** Each node is opened, paid, delivered, rejected, delivered again and accepted. */
  const factsOf = (count: number): ChainedFact[] => {
    const facts: ChainedFact[] = [];
    const one = hash('one');
    const log = (fact: EscrowFact): void => {
      facts.push({ fact, blockNumber: 1, blockHash: one, blockTime: 1, logIndex: facts.length, transactionHash: one });
    };
    const step = (each: (nodeId: number) => EscrowFact): void => {
      for (let nodeId = 1; nodeId <= count; nodeId += 1) log(each(nodeId));
    };
    const [worker = BUYER] = WORKERS;
    log({ type: 'TaskCreated', buyer: BUYER, arbiter: ARBITER, budget: 100n, termsHash: one });
    const terms = {
      parentNodeId: 0,
      worker,
      amount: 1n,
      deliverBy: DAY,
      acceptWindow: DAY,
      hirerFunded: true,
      termsHash: one,
    };
    step((nodeId) => ({ type: 'NodeOpened', nodeId, ...terms }));
    step((nodeId) => ({ type: 'NodeFunded', nodeId, payer: BUYER, amount: 1n, mode: FundingMode.Allowance }));
    const deliver = (nodeId: number): EscrowFact => ({
      type: 'NodeDelivered',
      nodeId,
      artifactHash: one,
      acceptBy: DAY,
    });
    step(deliver);
    step((nodeId) => ({ type: 'NodeRejected', nodeId, reasonHash: one, contestBy: DAY }));
    step(deliver);
    step((nodeId) => ({ type: 'NodeSettled', nodeId, workerShare: 1n, hirerShare: 0n, outcome: Outcome.Accepted }));
    return facts;
  };

  it('numbers the deliveries of each node, and marks the newest of them', () => {
    const { deliveries } = projectTree(factsOf(3));
    expect(deliveries.map(({ nodeNumber, revision, status }) => [nodeNumber, revision, status])).toEqual([
      ...[1, 2, 3].map((node) => [node, 1, 'rejected']),
      ...[1, 2, 3].map((node) => [node, 2, 'released']),
    ]);
  });

  it('costs eight times as much to fold when it has eight times as many, not sixty-four times', () => {
    const fastest = (facts: readonly ChainedFact[]): number =>
      Math.min(
        ...Array.from({ length: 3 }, () => {
          const started = performance.now();
          finalSettlements(projectTree(facts));
          return performance.now() - started;
        }),
      );
    const large = factsOf(20_000);
    const small = factsOf(2_500);
    expect(fastest(large) / fastest(small)).toBeLessThan(32);
  }, 120_000);
});
