import { ModelBooks, Refusal, require } from './reference-model-state.js';
import type { ModelAuth, ModelCall, ModelNode, ModelTerms, ModelTree, StepResult } from './lifecycle-calls.js';
import { conditionHolds, isArgumentCondition, type NodeActionFacts } from './lifecycle-actions.js';
import { type ArgumentCondition, type NodeAction, NODE_TRANSITIONS, type TransitionRow } from './node-state-machine.js';
import { backersOf, effectiveState, lapsedShare } from '../tree/node-clock.js';
import { FundingMode, NodeState } from '../tree/node-states.js';

const HOUR = 3600;
const DAY = 24 * HOUR;
/** Bounds of the contract (NodeLedger.sol), in seconds. */
const MIN_ACCEPT_WINDOW = 4 * HOUR;
const MAX_ACCEPT_WINDOW = 90 * DAY;
const MAX_DELIVERY_HORIZON = 365 * DAY;
const RULING_WINDOW = 30 * DAY;

/**
 * Reference model of the escrow: applies a call at a time in unix seconds by the transition table, the money rules and
 * the order of checks of docs/decisions/escrow.md, independently of the contract's code. The differential test
 * (solidity/README.md, "Proof") compares the contract with it. Pure; throws RangeError only on a tree that no history
 * leads to.
 */
export function step(tree: ModelTree, call: ModelCall, nowSeconds: number): StepResult {
  const turn = new Turn(tree, call.sender, nowSeconds);
  try {
    turn.take(call);
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, error: error.reason };
    throw error;
  }
  return { ok: true, tree: turn.tree };
}

/** The facts about a node at a time in unix seconds that the transition table's conditions read. */
export function nodeActionFacts(tree: ModelTree, node: ModelNode, nowSeconds: number): NodeActionFacts {
  const states = backersOf(tree.nodes, node).map((backer) => effectiveState(backer, nowSeconds));
  const closed = states.some((state) => state === NodeState.Refunded || state === NodeState.Abandoned);
  const settled = states.every((state) => state === NodeState.Settled);
  const { state, clock, deliverBy, pool, allocated } = node;
  const backers = closed ? 'closed' : settled ? 'settled' : 'open';
  const [level, hasArbiter] = [levelOf(tree, node), tree.arbiter !== null];
  return { state, clock, deliverBy, pool, allocated, backers, level, hasArbiter };
}

function levelOf(tree: ModelTree, node: ModelNode): number {
  const parent = tree.nodes.find(({ number }) => number === node.parentNumber);
  return parent === undefined ? 1 : levelOf(tree, parent) + 1;
}

type CallOf<A extends ModelCall['action']> = Extract<ModelCall, { action: A }>;

/** Executes one call and replaces its own tree step by step; after a refusal, the caller drops that tree. */
class Turn extends ModelBooks {
  take(call: ModelCall): void {
    switch (call.action) {
      case 'create_task':
        return this.authorize(this.tree.buyer, call.auth);
      case 'select_agent':
        return this.select(call);
      case 'subcontract':
        return this.subcontract(call);
      case 'fund_task':
        return this.fund(call);
      case 'withdraw_earnings':
        return this.withdrawEarnings(call);
      case 'withdraw_refund':
        return this.withdrawRefund(call);
      case 'invalidate_nonces':
        return this.invalidate(call.word, call.mask);
      case 'pause':
      case 'unpause':
        return this.setToken({ paused: call.action === 'pause' });
      case 'deny':
      case 'allow':
        return this.deny(call.account, call.action === 'deny');
      case 'deliver':
      case 'resolve_task':
      case 'reject_task':
      case 'abandon_node':
      case 'claim_non_delivery':
      case 'dispute_node':
      case 'rule_dispute':
      case 'agree_split':
      case 'finalize':
        return this.work(call);
    }
  }

  // Agreement.

  private select({ terms, hirerAuth, workerAuth }: CallOf<'select_agent'>): void {
    require(terms.parentNumber === 0 && terms.hirerFunded, 'InvalidTerms');
    const worker = this.checkTerms(terms);
    this.authorize(this.tree.buyer, hirerAuth);
    this.authorize(worker, workerAuth);
    // A quote that lasts longer than the deadline does not make the funding window longer.
    this.open(terms, worker, NodeState.Selected, Math.min(workerAuth.validUntil, terms.deliverBy));
  }

  private fund({ number, mode, auth }: CallOf<'fund_task'>): void {
    const node = this.node(number);
    const [row] = this.rows('fund_task', node, () => true);
    this.bring(this.tree.buyer, node.pool, mode, auth);
    this.change(number, { state: row.to, clock: node.deliverBy });
  }

  private subcontract({ terms, mode, hirerAuth, workerAuth }: CallOf<'subcontract'>): void {
    const parent = this.node(terms.parentNumber);
    const carvedOut = mode === FundingMode.ParentNode;
    this.rows('subcontract', parent, (condition) => {
      if (condition === 'within_parents_time') return terms.deliverBy <= parent.deliverBy;
      if (condition === 'mode_fits') return terms.hirerFunded !== carvedOut;
      return this.termsFit(terms);
    });
    const worker = this.checkTerms(terms);
    this.authorize(worker, workerAuth);
    this.open(terms, worker, NodeState.Funded, terms.deliverBy);
    if (!carvedOut) return this.bring(parent.worker, terms.amount, mode, hirerAuth);
    this.authorize(parent.worker, hirerAuth);
    require(terms.amount <= parent.pool - parent.allocated, 'InsufficientNodeBalance');
    this.change(parent.number, { allocated: parent.allocated + terms.amount });
  }

  private termsFit({ number, worker, amount, deliverBy, acceptWindow }: ModelTerms): boolean {
    return (
      number !== 0 &&
      worker !== null &&
      worker !== this.tree.arbiter &&
      amount > 0n &&
      deliverBy > this.now &&
      deliverBy <= this.now + MAX_DELIVERY_HORIZON &&
      acceptWindow >= MIN_ACCEPT_WINDOW &&
      acceptWindow <= MAX_ACCEPT_WINDOW
    );
  }

  private checkTerms(terms: ModelTerms): string {
    require(this.termsFit(terms) && terms.worker !== null, 'InvalidTerms');
    return terms.worker;
  }

  private open(terms: ModelTerms, worker: string, state: NodeState, clock: number): void {
    const { number, parentNumber, hirerFunded, amount: pool, deliverBy, acceptWindow } = terms;
    require(!this.tree.nodes.some((node) => node.number === number), 'NodeExists');
    const work = { number, parentNumber, worker, hirerFunded, pool, allocated: 0n, artifact: null };
    this.set({ nodes: [...this.tree.nodes, { ...work, deliverBy, acceptWindow, clock, state }] });
  }

  // Actions that the transition table alone decides.

  private work(call: ModelCall & { action: Work }): void {
    const node = this.node(call.number);
    const rows = this.rows(call.action, node, (condition) => argumentHolds(condition, call, node));
    switch (call.action) {
      case 'agree_split':
        this.authorize(this.hirer(node), call.hirerAuth);
        this.authorize(node.worker, call.workerAuth);
        break;
      case 'finalize':
        break;
      case 'claim_non_delivery':
        this.authorize(call.account, call.auth);
        break;
      case 'deliver':
      case 'resolve_task':
      case 'reject_task':
      case 'abandon_node':
      case 'dispute_node':
      case 'rule_dispute':
        this.authorize(this.actor(rows[0], node), call.auth);
    }
    const share = 'share' in call ? call.share : node.pool;
    const contestBy = this.contestBy(node);
    const row = rows.find(({ only }) => {
      if (only === 'contestable' || only === 'uncontestable') return (only === 'contestable') === contestBy > this.now;
      return only === undefined || (only === 'paid') === share > 0n;
    });
    if (row === undefined) throw new RangeError('The table has no row for a case');
    const artifact = call.action === 'deliver' ? { artifact: call.artifact } : {};
    this.end(node, row, share);
    this.change(node.number, { state: row.to, clock: this.clockIn(row.to, node, contestBy), ...artifact });
  }

  /**
   * Until when a worker may answer a rejection: the deadline and, where there is an arbiter, at least one accept
   * window.
   */
  private contestBy(node: ModelNode): number {
    if (this.tree.arbiter === null) return node.deliverBy;
    return Math.max(node.deliverBy, this.now + node.acceptWindow);
  }

  private clockIn(state: NodeState, node: ModelNode, contestBy: number): number {
    if (state === NodeState.Delivered) return this.now + node.acceptWindow;
    if (state === NodeState.Rejected) return contestBy;
    return state === NodeState.Disputed ? this.now + RULING_WINDOW : node.clock;
  }

  private actor({ by }: TransitionRow, node: ModelNode): string {
    if (by === 'hirer') return this.hirer(node);
    return by === 'arbiter' ? (this.tree.arbiter ?? '') : node.worker;
  }

  /** Divides the pool of a node that ends. */
  private end(node: ModelNode, { money }: TransitionRow, share: bigint): void {
    const { number, pool, allocated } = node;
    if (money === 'back') return this.giveBack(node, pool);
    if (money !== 'share' && money !== 'half') return;
    const kept = money === 'share' ? share : lapsedShare(node);
    require(kept >= allocated && kept <= pool, 'ShareOutOfRange');
    this.change(number, { pool: kept });
    this.giveBack(node, pool - kept);
  }

  // Money in and out.

  private bring(payer: string, amount: bigint, mode: FundingMode, auth: ModelAuth): void {
    require(mode !== FundingMode.ParentNode, 'InvalidTerms');
    if (mode === FundingMode.RefundBalance) {
      this.authorize(payer, auth);
      return this.debit(payer, amount);
    }
    if (mode !== FundingMode.Authorization3009) {
      this.authorize(payer, auth);
      return this.move(payer, this.tree.escrow, amount);
    }
    // One signature pays and authorises. The token checks it, and refuses it already at the second `validUntil`.
    this.consume(payer, auth);
    this.requireMovable(payer, this.tree.escrow);
    require(this.now < auth.validUntil, 'AuthorizationExpired');
    require(auth.intact && auth.signer === payer, 'InvalidTokenSignature');
    this.move(payer, this.tree.escrow, amount);
  }

  private withdrawEarnings({ number, recipient, amount, auth }: CallOf<'withdraw_earnings'>): void {
    require(recipient !== this.tree.escrow, 'InvalidRecipient');
    const stored = this.node(number);
    // A withdrawal first finalizes a node that time has settled.
    if (this.now > stored.clock && this.find('finalize', stored.state).length > 0) {
      this.work({ action: 'finalize', sender: this.sender, number });
    }
    const node = this.node(number);
    this.rows('withdraw_earnings', node, () => true);
    this.authorize(node.worker, auth);
    require(amount > 0n && amount <= node.pool - node.allocated, 'InsufficientNodeBalance');
    this.change(number, { pool: node.pool - amount });
    this.move(this.tree.escrow, recipient, amount);
  }

  private withdrawRefund({ account, recipient, amount, auth }: CallOf<'withdraw_refund'>): void {
    require(recipient !== this.tree.escrow, 'InvalidRecipient');
    this.authorize(account, auth);
    this.debit(account, amount);
    this.move(this.tree.escrow, recipient, amount);
  }

  // The table.

  /** The rows of an action in the node's state. Throws Refusal unless all of their conditions hold. */
  private rows(
    action: NodeAction,
    node: ModelNode,
    argument: (condition: ArgumentCondition) => boolean,
  ): [TransitionRow, ...TransitionRow[]] {
    const [first, ...others] = this.find(action, node.state);
    require(first !== undefined, 'WrongState');
    const facts = nodeActionFacts(this.tree, node, this.now);
    for (const [condition, reason] of first.when) {
      require(isArgumentCondition(condition)
        ? argument(condition)
        : conditionHolds(condition, facts, this.now), reason);
    }
    return [first, ...others];
  }

  private find(action: NodeAction, state: NodeState): TransitionRow[] {
    return NODE_TRANSITIONS.filter((row) => row.action === action && row.from === state);
  }
}

/** The calls that the table alone decides. */
type Work =
  | 'deliver'
  | 'resolve_task'
  | 'reject_task'
  | 'abandon_node'
  | 'claim_non_delivery'
  | 'dispute_node'
  | 'rule_dispute'
  | 'agree_split'
  | 'finalize';

function argumentHolds(condition: ArgumentCondition, call: ModelCall, node: ModelNode): boolean {
  if (condition === 'artifact_named') return 'artifact' in call && call.artifact !== null;
  if (condition === 'artifact_is_the_last') return 'artifact' in call && call.artifact === node.artifact;
  return 'share' in call && call.share >= node.allocated;
}
