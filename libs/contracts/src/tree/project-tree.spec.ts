import { childPath } from '#libs/kernel';
import { id, toBeHex, ZeroAddress } from 'ethers';
import { leastProcessorTime } from '../../../../test/support/least-processor-time.js';
import { asHex, checksumAddress } from '../abi/addresses.js';
import type { EscrowFact } from './escrow-events.js';
import { effectiveState, withdrawableOf } from './node-clock.js';
import { FundingMode, NodeState, Outcome } from './node-states.js';
import { finalSettlements } from './final-settlements.js';
import { taskStatusOf } from './task-status.js';
import { followTree, projectTree } from './project-tree.js';
import type { ChainedFact } from './tree-projection.types.js';

const DAY = 86_400;
const STEPS = 250;
const account = (name: string) => checksumAddress(`0x${id(name).slice(26)}`);
const hash = (name: string) => asHex(id(name));
const BUYER = account('buyer');
const ARBITER = account('arbiter');
const NOBODY = asHex(ZeroAddress);
const WORKERS = ['ann', 'bob', 'cid'].map(account);

/** What a node is hired under; `by` is its deadline, `most` its revisions. */
interface Hired {
  worker: string;
  amount: bigint;
  floor: bigint;
  by: number;
  most: number;
}

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

interface StoredNode {
  path: bigint;
  worker: string;
  hirer: string;
  amount: bigint;
  floor: bigint;
  allocated: bigint;
  by: number;
  clock: number;
  version: number;
  revisions: number;
  most: number;
  payOut: boolean;
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
  readonly nodes = new Map<bigint, StoredNode>();
  readonly refundOf = new Map<string, bigint>();
  readonly facts: ChainedFact[] = [];

  constructor(readonly arbiter: boolean) {
    const parties = { buyer: BUYER, arbiter: arbiter ? ARBITER : NOBODY };
    this.log({ type: 'TreeCreated', treeId: hash('tree'), escrow: account('e'), ...parties });
  }

  log(fact: EscrowFact): void {
    const blockNumber = Math.floor(this.facts.length / 3);
    const block = { blockNumber, blockHash: hash(`block ${blockNumber}`), blockTime: this.now };
    this.facts.push({ fact, ...block, logIndex: this.facts.length, transactionHash: hash(`tx ${this.facts.length}`) });
  }

  effective(node: StoredNode): NodeState {
    const timed: NodeState[] = [NodeState.Delivered, NodeState.Rejected, NodeState.Disputed];
    if (!timed.includes(node.state) || this.now <= node.clock) return node.state;
    const nothing = node.state === NodeState.Rejected || (node.state === NodeState.Disputed && node.floor === 0n);
    return nothing ? NodeState.Refunded : NodeState.Settled;
  }

  parent(node: StoredNode): StoredNode {
    return this.nodes.get(node.path / 2n ** 24n)!;
  }

  backers(node: StoredNode): StoredNode[] {
    return node.own ? [] : [this.parent(node), ...this.backers(this.parent(node))];
  }

  isLive(node: StoredNode): boolean {
    return [node, ...this.backers(node)].every(({ state }) => state < NodeState.Refunded);
  }

  private isOpen(node: StoredNode): boolean {
    return this.backers(node).every((backer) => this.effective(backer) <= NodeState.Settled);
  }

  private open(path: bigint, hirer: string, terms: Hired, mode: FundingMode): void {
    const own = mode !== FundingMode.ParentNode;
    const { worker, amount, floor, by, most } = terms;
    const [clock, version, revisions, payOut] = [by, 1, 0, false];
    const work = { path, worker, hirer, amount, floor, allocated: 0n, by, clock, version, revisions, most, payOut };
    this.nodes.set(path, { ...work, state: NodeState.Funded, own });
    this.log({
      type: 'NodeFunded',
      nodeId: path,
      worker: asHex(worker),
      payer: asHex(hirer),
      amount,
      floor,
      deliverBy: by,
      acceptWindow: 2 * DAY,
      maxRevisions: most,
      hirerFunded: own,
      mode,
      termsHash: hash('terms'),
    });
  }

  /** The buyer hires, with new money or with what came back. */
  fund(index: number, terms: Hired, fromRefund: boolean): void {
    const credit = this.refundOf.get(BUYER) ?? 0n;
    if (this.nodes.has(BigInt(index)) || terms.amount === 0n || (fromRefund && credit < terms.amount)) return;
    if (fromRefund) this.refundOf.set(BUYER, credit - terms.amount);
    else this.balance += terms.amount;
    this.open(BigInt(index), BUYER, terms, fromRefund ? FundingMode.RefundBalance : FundingMode.Authorization3009);
  }

  subcontract(parent: StoredNode, index: number, terms: Hired, own: boolean): void {
    const path = parent.path * 2n ** 24n + BigInt(index);
    const by = Math.min(terms.by, parent.by);
    if (path >= 2n ** 192n || this.nodes.has(path) || terms.amount === 0n) return;
    if (parent.state !== NodeState.Funded || this.now >= parent.by || !this.isOpen(parent)) return;
    if (!own && terms.amount > parent.floor - parent.allocated) return;
    if (own) this.balance += terms.amount;
    else parent.allocated += terms.amount;
    this.open(path, parent.worker, { ...terms, by }, own ? FundingMode.Allowance : FundingMode.ParentNode);
  }

  deliver(node: StoredNode, payOut: boolean): void {
    const again = node.state === NodeState.Rejected && this.now <= node.clock;
    if ((node.state !== NodeState.Funded && !again) || this.now > node.by || !this.isOpen(node)) return;
    if (again && node.revisions === node.most) return;
    if (again) node.revisions += 1;
    node.payOut = payOut;
    this.enter(node, NodeState.Delivered, this.now + 2 * DAY);
    const [nodeId, acceptBy] = [node.path, node.clock];
    this.log({ type: 'NodeDelivered', nodeId, artifactHash: asHex(toBeHex(this.facts.length, 32)), acceptBy, payOut });
  }

  private enter(node: StoredNode, state: NodeState, clock = node.clock): void {
    Object.assign(node, { state, clock, version: node.version + 1 });
  }

  accept(node: StoredNode): void {
    const givesIn = node.state === NodeState.Rejected || node.state === NodeState.Disputed;
    if (node.state !== NodeState.Delivered && !(givesIn && this.now <= node.clock)) return;
    this.settleAndPay(node, node.amount, Outcome.Accepted);
  }

  reject(node: StoredNode): void {
    if (node.state !== NodeState.Delivered || this.now > node.clock) return;
    const redelivery = node.revisions < node.most ? node.by : this.now;
    const contestBy = Math.max(redelivery, this.arbiter ? this.now + 2 * DAY : this.now);
    const fact = { type: 'NodeRejected', nodeId: node.path, reasonHash: hash('bad'), contestBy } as const;
    if (contestBy > this.now) {
      this.enter(node, NodeState.Rejected, contestBy);
      this.log(fact);
    } else {
      this.log(fact);
      this.refund(node, NodeState.Refunded, Outcome.RejectionFinal);
    }
  }

  dispute(node: StoredNode): void {
    if (node.state !== NodeState.Rejected || this.now > node.clock || !this.arbiter) return;
    this.enter(node, NodeState.Disputed, this.now + 30 * DAY);
    this.log({ type: 'NodeDisputed', nodeId: node.path, evidenceHash: hash('proof'), ruleBy: node.clock });
  }

  split(node: StoredNode, share: bigint, outcome: Outcome): void {
    const ruled = outcome === Outcome.Ruled;
    if (ruled && (node.state !== NodeState.Disputed || this.now > node.clock)) return;
    if (node.state < NodeState.Funded || node.state > NodeState.Disputed || share > node.amount) return;
    if (!ruled && ((node.state === NodeState.Rejected && this.now > node.clock) || share < node.allocated)) return;
    if (share === 0n) this.refund(node, NodeState.Refunded, outcome);
    else if (share >= node.allocated) this.settleAndPay(node, share, outcome);
  }

  abandon(node: StoredNode): void {
    if (node.state !== NodeState.Funded || node.allocated !== 0n) return;
    this.refund(node, NodeState.Abandoned, Outcome.Abandoned);
  }

  claim(node: StoredNode): void {
    if (node.state === NodeState.Funded && this.now > node.by)
      this.refund(node, NodeState.Refunded, Outcome.NonDelivery);
  }

  finalize(node: StoredNode): void {
    this.writeDown(node);
    this.pay(node);
  }

  private writeDown(node: StoredNode): void {
    const now = this.effective(node);
    if (now === node.state) return;
    if (node.state === NodeState.Delivered) this.settle(node, node.amount, Outcome.AcceptWindowLapsed);
    else if (node.state === NodeState.Rejected) this.refund(node, NodeState.Refunded, Outcome.RejectionFinal);
    else if (now === NodeState.Settled) this.settle(node, node.floor, Outcome.RulingLapsed);
    else this.refund(node, NodeState.Refunded, Outcome.RulingLapsed);
  }

  withdrawable(node: StoredNode): bigint {
    if (![node, ...this.backers(node)].every((n) => this.effective(n) === NodeState.Settled)) return 0n;
    return (node.state === NodeState.Disputed ? node.floor : node.amount) - node.allocated;
  }

  withdraw(node: StoredNode, amount: bigint): void {
    if (amount === 0n || amount > this.withdrawable(node)) return;
    this.writeDown(node);
    this.takeOut(node, amount, account('bank'));
  }

  private takeOut(node: StoredNode, amount: bigint, recipient: string): void {
    node.amount -= amount;
    this.balance -= amount;
    const { path: nodeId, worker } = node;
    this.log({ type: 'EarningsWithdrawn', nodeId, worker: asHex(worker), recipient: asHex(recipient), amount });
  }

  private settleAndPay(node: StoredNode, share: bigint, outcome: Outcome): void {
    this.settle(node, share, outcome);
    this.pay(node);
  }

  private pay(node: StoredNode): void {
    const amount = node.payOut && node.state === NodeState.Settled ? this.withdrawable(node) : 0n;
    if (amount > 0n) this.takeOut(node, amount, node.worker);
  }

  withdrawRefund(of: string, amount: bigint): void {
    const credit = this.refundOf.get(of) ?? 0n;
    if (amount === 0n || amount > credit) return;
    this.refundOf.set(of, credit - amount);
    this.balance -= amount;
    this.log({ type: 'RefundWithdrawn', account: asHex(of), recipient: account('bank'), amount });
  }

  private settle(node: StoredNode, workerShare: bigint, outcome: Outcome): void {
    const hirerShare = node.amount - workerShare;
    this.enter(node, NodeState.Settled);
    node.amount = workerShare;
    this.giveBack(node, hirerShare);
    this.log({ type: 'NodeSettled', nodeId: node.path, workerShare, hirerShare, outcome });
  }

  private refund(node: StoredNode, state: NodeState, outcome: Outcome): void {
    this.enter(node, state);
    this.giveBack(node, node.amount);
    this.log({ type: 'NodeRefunded', nodeId: node.path, amount: node.amount, outcome });
  }

  private giveBack(node: StoredNode, amount: bigint): void {
    if (node.own) this.refundOf.set(node.hirer, (this.refundOf.get(node.hirer) ?? 0n) + amount);
    else this.parent(node).allocated -= amount;
  }
}

/** One random call or passage of time. */
function step(model: EscrowModel, random: (below: number) => number): void {
  const nodes = [...model.nodes.values()];
  const node = nodes[random(nodes.length)];
  const amount = BigInt(random(60));
  const hire = (price: bigint): Hired => {
    const floor = random(4) === 0 ? 0n : BigInt(random(Number(price) + 1));
    const worker = WORKERS[random(WORKERS.length)]!;
    return { worker, amount: price, floor, by: model.now + DAY + random(30 * DAY), most: random(4) };
  };
  if (node === undefined || random(12) === 0) {
    return model.fund(1 + random(40), hire(BigInt(1 + random(100))), random(2) === 0);
  }
  const calls = [
    () => model.subcontract(node, 1 + random(9), hire(amount), random(4) === 0),
    () => model.subcontract(node, 16_777_215 - random(2), hire(amount / 3n), false),
    () => model.deliver(node, random(2) === 0),
    () => model.deliver(node, random(2) === 0),
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
  const kept = [...model.nodes.values()];
  expect(
    nodes.map((n) => ({
      path: n.path,
      worker: n.worker,
      hirer: n.hirer,
      amount: n.pool,
      floor: n.floor,
      allocated: n.allocated,
      by: n.deliverBy,
      clock: n.clock,
      version: n.version,
      revisions: n.revisions,
      most: n.maxRevisions,
      payOut: n.payOut,
      state: n.state,
      own: n.hirerFunded,
    })),
  ).toEqual(kept);
  expect(Object.fromEntries(refundOf)).toEqual(
    Object.fromEntries([...model.refundOf].filter(([, amount]) => amount !== 0n)),
  );
  expect(ledger.funded).toBe(ledger.held + ledger.paid + ledger.refundable);
  expect(ledger.held + ledger.refundable).toBe(model.balance);
  expect(ledger.held).toBe(kept.filter((n) => model.isLive(n)).reduce((sum, n) => sum + n.amount - n.allocated, 0n));
  for (const node of nodes) {
    const twin = model.nodes.get(node.path)!;
    expect(effectiveState(node, model.now)).toBe(model.effective(twin));
    expect(withdrawableOf(nodes, node, model.now)).toBe(model.withdrawable(twin));
  }
}

describe('over random legal histories', () => {
  test.each(Array.from({ length: 50 }, (_, seed) => seed))(
    'the fold is the storage of the contract and the books close after every step (seed %d)',
    (seed) => {
      const random = randomOf(seed);
      const model = new EscrowModel(seed % 4 !== 0);
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
      const model = new EscrowModel(seed % 4 !== 0);
      for (let i = 0; i < STEPS; i++) step(model, random);
      for (const { fact } of model.facts) types.add(fact.type);
      for (const node of projectTree(model.facts).nodes) {
        states.add(node.state);
        outcomes.add(node.outcome);
      }
    }
    expect(types.size).toBe(9);
    expect([...states].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(outcomes.size).toBe(Object.keys(Outcome).length + 1);
  });

  test('400 days of silence after the last call, every worker and hirer can take out all that is left', () => {
    for (let seed = 100; seed < 130; seed++) {
      const random = randomOf(seed);
      const model = new EscrowModel(seed % 4 !== 0);
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

describe('the steps of facts', () => {
  it('lead every node and the task from nothing to where the fold ends, whichever facts are followed', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const random = randomOf(seed);
      const model = new EscrowModel(seed % 4 !== 0);
      for (let i = 0; i < STEPS; i += 1) step(model, random);
      const { facts } = model;
      const { projection, steps } = followTree(facts, () => true);
      const states = new Map<bigint, NodeState>();
      for (const { path, from, to } of steps) {
        if (path === null || to === null) continue;
        expect(from).toBe(states.get(path) ?? null);
        states.set(path, to);
      }
      expect(states).toEqual(new Map(projection.nodes.map(({ path, state }) => [path, state])));
      expect(steps.map(({ status }) => status)).toEqual(
        facts.map((_, at) => taskStatusOf(projectTree(facts.slice(0, at + 1)))),
      );
      const newer = steps.slice(steps.length >> 1);
      const isNewer = (fact: ChainedFact): boolean => newer.some(({ chained }) => chained === fact);
      expect(followTree(facts, isNewer)).toEqual({ projection, steps: newer });
    }
  });
});

describe('a tree of very many nodes', () => {
  /** Each node is paid, delivered, rejected, delivered again and accepted. */
  const factsOf = (count: number): ChainedFact[] => {
    const facts: ChainedFact[] = [];
    const one = hash('one');
    const log = (fact: EscrowFact): void => {
      facts.push({ fact, blockNumber: 1, blockHash: one, blockTime: 1, logIndex: facts.length, transactionHash: one });
    };
    const step = (each: (nodeId: bigint) => EscrowFact): void => {
      for (let index = 1; index <= count; index += 1) log(each(childPath(0n, index)));
    };
    const [worker = BUYER] = WORKERS;
    log({ type: 'TreeCreated', treeId: one, escrow: worker, buyer: BUYER, arbiter: ARBITER });
    const times = { deliverBy: DAY, acceptWindow: DAY, maxRevisions: 1 };
    const terms = { worker, payer: BUYER, amount: 1n, floor: 0n, ...times, hirerFunded: true, termsHash: one };
    step((nodeId) => ({ type: 'NodeFunded', nodeId, mode: FundingMode.Allowance, ...terms }));
    const deliver = (nodeId: bigint): EscrowFact => ({
      type: 'NodeDelivered',
      nodeId,
      artifactHash: one,
      acceptBy: DAY,
      payOut: false,
    });
    step(deliver);
    step((nodeId) => ({ type: 'NodeRejected', nodeId, reasonHash: one, contestBy: DAY }));
    step(deliver);
    step((nodeId) => ({ type: 'NodeSettled', nodeId, workerShare: 1n, hirerShare: 0n, outcome: Outcome.Accepted }));
    return facts;
  };

  it('numbers the deliveries of each node, and marks the newest of them', () => {
    const { deliveries } = projectTree(factsOf(3));
    expect(deliveries.map(({ nodePath, revision, status }) => [nodePath, revision, status])).toEqual([
      ...[1n, 2n, 3n].map((node) => [node, 1, 'rejected']),
      ...[1n, 2n, 3n].map((node) => [node, 2, 'released']),
    ]);
  });

  it('costs eight times as much to fold when it has eight times as many, not sixty-four times', () => {
    const costOf = (facts: readonly ChainedFact[]): number =>
      leastProcessorTime(() => finalSettlements(followTree(facts, () => true).projection));
    const large = factsOf(20_000);
    const small = factsOf(2_500);
    expect(costOf(large) / costOf(small)).toBeLessThan(32);
  }, 120_000);
});
