import { parentPath, pathIndex, pathLevel } from '#libs/kernel';
import { nodeNonce } from '../abi/nonce-bitmap.js';
import { backersOf, effectiveState } from '../tree/node-clock.js';
import { FundingMode, GIVEN_BACK_STATES, NodeState } from '../tree/node-states.js';
import { conditionHolds, isArgumentCondition, MIN_WORK_SECONDS, type NodeActionFacts } from './lifecycle-actions.js';
import type { ModelAuth, ModelCall, ModelNode, ModelTerms, ModelTree, StepResult } from './lifecycle-calls.js';
import { type ArgumentCondition, type NodeAction, NODE_TRANSITIONS, type TransitionRow } from './node-state-machine.js';
import { ModelBooks, promisedTo, Refusal, require } from './reference-model-state.js';

const HOUR = 3600;
const DAY = 24 * HOUR;
/** Bounds of the contract (NodeLedger.sol), in seconds. */
const MAX_WORK_SECONDS = 365 * DAY;
const MIN_ACCEPT_WINDOW = 4 * HOUR;
const MAX_ACCEPT_WINDOW = 90 * DAY;
const RULING_WINDOW = 30 * DAY;
const MAX_REVISIONS = 10;

/**
 * Reference model of the escrow: applies a call at a time in unix seconds by the transition table and the order of checks
 * of docs/decisions/escrow.md, independently of the contract's code. What the contract counts (what is promised to
 * children, what is left) the model derives from what each side was promised: a worker's side has the whole price until
 * its node ends, and then exactly the share that its end gave it. The differential test (solidity/README.md, "Proof")
 * compares the contract with it. Pure; throws RangeError only on a tree that no history leads to.
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
  const closed = states.some((state) => GIVEN_BACK_STATES.includes(state));
  const settled = states.every((state) => state === NodeState.Settled);
  const { state, clock, deliverBy, floor, revisions, maxRevisions, payOut } = node;
  return {
    state,
    clock,
    deliverBy,
    floor,
    revisions,
    maxRevisions,
    payOut,
    pool: node.share - node.withdrawn,
    allocated: promisedTo(tree, node),
    backers: closed ? 'closed' : settled ? 'settled' : 'open',
    level: pathLevel(node.path),
    hasArbiter: tree.arbiter !== null,
  };
}

type CallOf<A extends ModelCall['action']> = Extract<ModelCall, { action: A }>;
type Hire = Extract<ModelCall, { terms: ModelTerms }>;

/** Executes one call and replaces its own tree step by step; after a refusal, the caller drops that tree. */
class Turn extends ModelBooks {
  take(call: ModelCall): void {
    switch (call.action) {
      case 'fund_task':
      case 'subcontract':
        return this.hire(call);
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

  // Hiring.

  /** Both sides have agreed: the worker by its quote, the hirer by bringing the money or promising a part of its own. */
  private hire({ action, terms, mode, hirerAuth, workerAuth }: Hire): void {
    const { path, worker, hirerFunded, amount, workSeconds } = terms;
    const parent = parentPath(path);
    const isRoot = parent === 0n;
    const carvedOut = mode === FundingMode.ParentNode;
    require(this.node(path).state === NodeState.None, 'NodeExists');
    require(this.termsFit(terms) && worker !== null, 'InvalidTerms');
    const fits = (action === 'fund_task') === isRoot && hirerFunded !== carvedOut && (hirerFunded || !isRoot);
    const deliverBy = this.now + workSeconds;
    if (isRoot) require(fits, 'InvalidTerms');
    else this.hireBelow(this.node(parent), { deliverBy, amount: hirerFunded ? 0n : amount, fits });
    const child = { path, version: 0 };
    this.authorize(worker, child, workerAuth);
    const hirer = this.hirer(child);
    if (carvedOut) this.authorize(hirer, child, hirerAuth);
    else this.bring(hirer, amount, mode, child, hirerAuth);
    const { floor, acceptWindow, maxRevisions } = terms;
    const money = { hirerFunded, price: amount, share: amount, withdrawn: 0n, floor };
    const times = { deliverBy, clock: deliverBy, acceptWindow, revisions: 0, maxRevisions };
    const work = { path, worker, ...money, ...times, payOut: false, artifact: null };
    this.set({ nodes: [...this.tree.nodes, { ...work, state: NodeState.Funded, version: 1 }] });
  }

  /** A helper may not outlast the node it works for, and all helpers together may not have more than its floor. */
  private hireBelow(parent: ModelNode, child: { deliverBy: number; amount: bigint; fits: boolean }): void {
    this.rows('subcontract', parent, (condition) => {
      if (condition === 'within_parents_time') return child.deliverBy <= parent.deliverBy;
      if (condition === 'within_floor') return promisedTo(this.tree, parent) + child.amount <= parent.floor;
      return child.fits;
    });
  }

  private termsFit(terms: ModelTerms): boolean {
    const { escrow, factory, arbiter } = this.tree;
    const { path, worker, amount, floor, workSeconds, acceptWindow, maxRevisions } = terms;
    return (
      pathIndex(path) !== 0 &&
      worker !== null &&
      ![escrow, factory, arbiter].includes(worker) &&
      amount > 0n &&
      floor <= amount &&
      workSeconds >= MIN_WORK_SECONDS &&
      workSeconds <= MAX_WORK_SECONDS &&
      acceptWindow >= MIN_ACCEPT_WINDOW &&
      acceptWindow <= MAX_ACCEPT_WINDOW &&
      maxRevisions <= MAX_REVISIONS
    );
  }

  // Actions that the transition table alone decides.

  private work(call: ModelCall & { action: Work }, paysOut = true): void {
    const node = this.node(call.path);
    const promised = promisedTo(this.tree, node);
    const rows = this.rows(call.action, node, (condition) => argumentHolds(condition, call, node, promised));
    switch (call.action) {
      case 'agree_split':
        this.authorize(this.hirer(node), node, call.hirerAuth);
        this.authorize(node.worker, node, call.workerAuth);
        break;
      case 'finalize':
        break;
      case 'claim_non_delivery':
        this.authorize(call.account, node, call.auth);
        break;
      case 'deliver':
      case 'resolve_task':
      case 'reject_task':
      case 'abandon_node':
      case 'dispute_node':
      case 'rule_dispute':
        this.authorize(this.actor(rows[0], node), node, call.auth);
    }
    if (node.state === NodeState.Settled) return require(this.payOut(node.path), 'WrongState');
    const share = 'share' in call ? call.share : node.floor;
    const contestBy = this.contestBy(node);
    const row = rows.find(({ only }) => {
      if (only === 'contestable' || only === 'uncontestable') return (only === 'contestable') === contestBy > this.now;
      return only === undefined || (only === 'paid') === share > 0n;
    });
    if (row === undefined) throw new RangeError('The table has no row for a case');
    this.end(node, row, share);
    const clock = this.clockIn(row.to, node, contestBy);
    this.change(node.path, { state: row.to, clock, version: node.version + 1 });
    if (call.action === 'deliver') this.handIn(node, call);
    else if (paysOut) this.payOut(node.path);
  }

  private handIn({ path, state, revisions }: ModelNode, { artifact, payOut }: CallOf<'deliver'>): void {
    this.change(path, { artifact, payOut, revisions: state === NodeState.Rejected ? revisions + 1 : revisions });
  }

  /**
   * Until when a worker may answer a rejection: while a revision is left, by delivering until the deadline; where there
   * is an arbiter, by asking it for as long as the hirer had to answer. Now, when neither is left.
   */
  private contestBy({ revisions, maxRevisions, deliverBy, acceptWindow }: ModelNode): number {
    const answers = [this.now];
    if (revisions < maxRevisions) answers.push(deliverBy);
    if (this.tree.arbiter !== null) answers.push(this.now + acceptWindow);
    return Math.max(...answers);
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

  /**
   * Gives the worker's side its share of a node that ends. The rest goes back: to the hirer that brought the money, or to
   * the parent's worker, by no longer being promised.
   */
  private end(node: ModelNode, { money }: TransitionRow, share: bigint): void {
    if (money === 'none') return;
    const kept = money === 'keep' ? node.price : money === 'back' ? 0n : share;
    const takesFromHelpers = kept !== 0n && kept < promisedTo(this.tree, node);
    require(!takesFromHelpers && kept <= node.price, 'ShareOutOfRange');
    this.change(node.path, { share: kept });
    if (node.hirerFunded) this.credit(this.hirer(node), node.price - kept);
  }

  // Money in and out.

  private bring(
    payer: string,
    amount: bigint,
    mode: FundingMode,
    child: Pick<ModelNode, 'path' | 'version'>,
    auth: ModelAuth,
  ): void {
    if (mode === FundingMode.RefundBalance) {
      this.authorize(payer, child, auth);
      return this.debit(payer, amount);
    }
    if (mode !== FundingMode.Authorization3009) {
      this.authorize(payer, child, auth);
      return this.move(payer, this.tree.escrow, amount);
    }
    // One signature pays and authorises, and the token checks it.
    this.checkNonce(payer, nodeNonce(child.path, child.version), auth);
    this.requireMovable(payer, this.tree.escrow);
    require(auth.intact && auth.signer === payer, 'InvalidTokenSignature');
    this.move(payer, this.tree.escrow, amount);
  }

  /** Pays a settled node to its worker's own address, if the worker asked for it, nothing backs it any more and the token moves. */
  private payOut(path: bigint): boolean {
    const node = this.node(path);
    const facts = nodeActionFacts(this.tree, node, this.now);
    if (node.state !== NodeState.Settled || !conditionHolds('payable', facts, this.now)) return false;
    if (!this.isMovable(node.worker)) return false;
    this.takeOut(node, node.worker, facts.pool - facts.allocated);
    return true;
  }

  private takeOut(node: ModelNode, recipient: string, amount: bigint): void {
    this.change(node.path, { withdrawn: node.withdrawn + amount });
    this.move(this.tree.escrow, recipient, amount);
  }

  private withdrawEarnings({ path, recipient, amount, auth }: CallOf<'withdraw_earnings'>): void {
    require(recipient !== this.tree.escrow, 'InvalidRecipient');
    const stored = this.node(path);
    // A withdrawal first writes down that time has settled the node, and then takes no more than it was asked to.
    if (effectiveState(stored, this.now) === NodeState.Settled && stored.state !== NodeState.Settled) {
      this.work({ action: 'finalize', sender: this.sender, path }, false);
    }
    const node = this.node(path);
    this.rows('withdraw_earnings', node, () => true);
    this.authorizeWithdrawal(node.worker, auth);
    const { pool, allocated } = nodeActionFacts(this.tree, node, this.now);
    require(amount > 0n && amount <= pool - allocated, 'InsufficientNodeBalance');
    this.takeOut(node, recipient, amount);
  }

  private withdrawRefund({ account, recipient, amount, auth }: CallOf<'withdraw_refund'>): void {
    require(recipient !== this.tree.escrow, 'InvalidRecipient');
    this.authorizeWithdrawal(account, auth);
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

function argumentHolds(condition: ArgumentCondition, call: ModelCall, node: ModelNode, promised: bigint): boolean {
  if (condition === 'artifact_named') return 'artifact' in call && call.artifact !== null;
  if (condition === 'artifact_is_the_last') return 'artifact' in call && call.artifact === node.artifact;
  return 'share' in call && call.share >= promised;
}
