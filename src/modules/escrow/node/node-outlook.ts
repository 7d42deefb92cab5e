import { effectiveState, MIN_WORK_SECONDS, NodeState, wireNodeState, type WireNodeState } from '#libs/contracts';
import { formatUsdc, MAX_LEVELS } from '#libs/kernel';
import { utcInWords } from '../../../platform/time/unix-time.js';
import { NODE_TRANSITIONS, type NodeEvent, type NodeWindow, transitionOf } from './node-transitions.js';

/**
 * Facts that decide how a node can end (docs/decisions/escrow.md#states-of-a-node,
 * docs/decisions/escrow.md#money-of-nested-nodes). Money in base units, times in unix seconds.
 */
export interface NodeFacts {
  state: WireNodeState;
  /** End of the current time limit. The state says which: to deliver, to reject, to contest, to rule. */
  clock: number;
  /** Latest time of any delivery, also of one after a rejection. */
  deliverBy: number;
  /** True when the tree names an arbiter; without one a rejection cannot be contested. */
  hasArbiter: boolean;
  /** Money left in the node, including what is allocated to children. */
  pool: bigint;
  /** The most that may be promised to children, and what the worker's side gets if the arbiter stays silent. */
  floor: bigint;
  /** The part of the pool allocated to children, as the contract has stored it. */
  allocated: bigint;
  /**
   * The part of `allocated` that passed time limits have already returned from children, although nobody has finalized
   * it.
   */
  returned: bigint;
  /** What the worker has taken out, or was paid when the node settled. */
  withdrawn: bigint;
  /** True when the newest delivery asks to be paid to the worker's own wallet as soon as the node settles. */
  payOut: boolean;
  /** Deliveries after a rejection so far, and how many the terms allow. */
  revisions: number;
  maxRevisions: number;
  isRoot: boolean;
  hirerFunded: boolean;
  /**
   * State of the backers, the nodes above whose money this node uses, up to the first that its hirer paid for: `closed`
   * when the money of one went back, `released` when all are released (also when there are none), `open` otherwise.
   */
  backers: 'open' | 'closed' | 'released';
}

/** Facts that decide which actions are possible. */
export interface ActionFacts extends NodeFacts {
  /** 1 for a root node. */
  level: number;
}

/** Roles of a caller in a node. */
export interface NodeCaller {
  isWorker: boolean;
  /** The buyer for a root node, the worker of the node above for a child. */
  isHirer: boolean;
}

/** Reason why an event is impossible for a node now. */
export type NodeFault =
  | 'wrong_state'
  | 'backers_closed'
  | 'too_late'
  | 'too_early'
  | 'no_revision_left'
  | 'live_allocations'
  | 'no_arbiter';

/** Present state and future of a node, as computed for one moment. */
export interface NodeOutlook {
  /** The state with passed time limits applied, even when nobody has finalized them on the chain. */
  effectiveState: WireNodeState;
  /** When the next time limit decides, unix seconds; null when no time limit is left. */
  dueAt: number | null;
  /** One sentence: what happens, when, with which amount, if nobody acts. */
  next: string;
}

const ENDS_WITHOUT_PAY: ReadonlySet<NodeEvent> = new Set(['abandon_node', 'claim_non_delivery']);
const CHAIN_STATES: Record<WireNodeState, NodeState> = {
  funded: NodeState.Funded,
  delivered: NodeState.Delivered,
  rejected: NodeState.Rejected,
  disputed: NodeState.Disputed,
  released: NodeState.Settled,
  refunded: NodeState.Refunded,
};

/**
 * Computes what happens to a node when nobody acts. The holder of a right may use it while `now <= clock`.
 *
 * | effective state | if nobody acts | due |
 * |---|---|---|
 * | closed by a backer | nothing: its money went back with the node above | – |
 * | `funded`, in time | after the delivery deadline anyone may send all of it back | clock |
 * | `funded`, too late | anyone may send all of it back | – |
 * | `delivered` | released to the worker, children's parts apart | clock |
 * | `rejected` | all of it goes back | clock |
 * | `disputed` | the floor to the worker, children's parts included; the rest goes back | clock |
 * | `released` | the worker's part waits for the nodes above, or is the worker's | – |
 * | `refunded` | nothing | – |
 */
export function nodeOutlook(node: NodeFacts, nowSeconds: number): NodeOutlook {
  const state = effectiveStateOf(node, nowSeconds);
  // A refunded node keeps its own outlook. Any other node whose backer's money went back cannot be paid.
  if (node.backers === 'closed' && state !== 'refunded') {
    return { effectiveState: state, dueAt: null, next: CLOSED };
  }
  const timed = state === node.state && nowSeconds <= node.clock && isLive(state);
  return { effectiveState: state, dueAt: timed ? node.clock : null, next: sentence(node, state, nowSeconds) };
}

/** The kinds of action on a node that a caller may prepare now, by the indexed facts, in a fixed order. */
export function allowedActions(node: ActionFacts, { isWorker, isHirer }: NodeCaller, nowSeconds: number): string[] {
  const allowed = NODE_TRANSITIONS.filter(({ from, by, who }) => {
    const isOwn = who === 'anyone' || (who === 'worker' && isWorker) || (who === 'hirer' && isHirer);
    return from === node.state && isOwn && by !== 'silence' && eventFault(node, by, nowSeconds) === null;
  });
  const actions: string[] = allowed.map(({ by }) => by);
  if (isWorker && canHire(node, nowSeconds)) actions.push('subcontract');
  if (isWorker && withdrawableOf(node, nowSeconds) > 0n) actions.push('withdraw_earnings');
  return actions;
}

/**
 * The reason why an event is impossible for the node at that moment, or null when it is possible. Stricter than the
 * contract where an event would have no effect: an outcome decided by a passed time limit is final, and a node whose
 * money went back with a node above allows only what ends it without pay, by which a worker stands better than by silence.
 */
export function eventFault(node: NodeFacts, event: NodeEvent, nowSeconds: number): NodeFault | null {
  const row = transitionOf(node.state, event);
  if (row === undefined) return 'wrong_state';
  if (node.backers === 'closed' && !ENDS_WITHOUT_PAY.has(event)) return 'backers_closed';
  const late = windowFault(row.when, node, nowSeconds);
  if (late !== null) return late;
  if (event === 'deliver' && nowSeconds > node.deliverBy) return 'too_late';
  if (event === 'deliver' && node.state === 'rejected' && !hasRevisionLeft(node)) return 'no_revision_left';
  if (event === 'dispute_node' && !node.hasArbiter) return 'no_arbiter';
  // The contract refuses to abandon under live children; those that time has sent back are finalized in the same call.
  return event === 'abandon_node' && promised(node) > 0n ? 'live_allocations' : null;
}

/** True while the node has not ended: neither released nor refunded. */
export function isLive(state: WireNodeState): boolean {
  return state !== 'released' && state !== 'refunded';
}

function windowFault(when: NodeWindow, node: NodeFacts, nowSeconds: number): NodeFault | null {
  if (when === 'lapsed') return nowSeconds > node.clock ? null : 'too_early';
  const hasLapsed = when === 'running' ? nowSeconds > node.clock : effectiveStateOf(node, nowSeconds) !== node.state;
  return hasLapsed ? 'too_late' : null;
}

/**
 * True when the worker can hire a child. The unallocated rest is not checked, because the worker may also pay a child
 * from its own wallet. A child needs the least time for work that the contract allows, within the node's.
 */
function canHire({ state, clock, level, backers }: ActionFacts, nowSeconds: number): boolean {
  return state === 'funded' && nowSeconds + MIN_WORK_SECONDS <= clock && level < MAX_LEVELS && backers !== 'closed';
}

/** Base units that the worker can withdraw: its own share, once the node and all its backers are released. */
function withdrawableOf(node: NodeFacts, nowSeconds: number): bigint {
  const isReleased = effectiveStateOf(node, nowSeconds) === 'released' && node.backers === 'released';
  if (!isReleased) return 0n;
  return shareOf(node) - promised(node);
}

const CLOSED = 'Settled: the money behind this node went back with a node above it.';

function effectiveStateOf({ state, clock, floor }: NodeFacts, nowSeconds: number): WireNodeState {
  return wireNodeState(effectiveState({ state: CHAIN_STATES[state], clock, floor }, nowSeconds)) ?? state;
}

function sentence(node: NodeFacts, state: WireNodeState, nowSeconds: number): string {
  const { pool, clock } = node;
  const own = pool - promised(node);
  switch (state) {
    case 'funded':
      return nowSeconds <= clock
        ? `Without a delivery by ${utcInWords(clock)}, anyone may then send ${usdc(pool)} back ${hirer(node)}.`
        : `The delivery deadline passed at ${utcInWords(clock)}: anyone may send ${usdc(pool)} back ${hirer(node)}.`;
    case 'delivered':
      return `Without a rejection by ${utcInWords(clock)}, ${usdc(own)} is released to the worker${childrenPart(node)}.`;
    case 'rejected':
      return `Unless the worker ${remedy(node, nowSeconds)}, ${usdc(pool)} goes back ${hirer(node)}.`;
    case 'disputed':
      return disputedSentence(node);
    case 'released':
      return releasedSentence(node);
    case 'refunded':
      return `Settled: ${usdc(pool)} went back ${hirer(node)}.`;
  }
}

/** Text of what a rejected worker can do: deliver again until the delivery deadline, or contest. */
function remedy(node: NodeFacts, nowSeconds: number): string {
  const { clock, deliverBy, hasArbiter } = node;
  if (!hasArbiter) return `delivers again by ${utcInWords(clock)}`;
  if (nowSeconds > deliverBy || !hasRevisionLeft(node)) return `contests by ${utcInWords(clock)}`;
  const again = deliverBy < clock ? ` by ${utcInWords(deliverBy)}` : '';
  return `delivers again${again} or contests by ${utcInWords(clock)}`;
}

function disputedSentence(node: NodeFacts): string {
  const { floor, pool, clock } = node;
  if (floor === 0n) return `Without a ruling by ${utcInWords(clock)}, ${usdc(pool)} goes back ${hirer(node)}.`;
  const toWorker = `${usdc(floor - promised(node))} is released to the worker${childrenPart(node)}`;
  return `Without a ruling by ${utcInWords(clock)}, ${toWorker}, and ${usdc(pool - floor)} goes back ${hirer(node)}.`;
}

function releasedSentence(node: NodeFacts): string {
  const { withdrawn, payOut } = node;
  const own = shareOf(node) - promised(node);
  if (node.backers !== 'released') return `The worker's ${usdc(own)} is held until every node above is released.`;
  const paid = withdrawn === 0n ? '' : `${usdc(withdrawn)} was paid to the worker`;
  if (paid !== '' && own === 0n) return `Settled: ${paid}${childrenPart(node)}.`;
  const sends = payOut && own > 0n ? '; anyone may send it to its own wallet' : '';
  return `Settled: ${paid === '' ? '' : `${paid}, and `}${usdc(own)} is released to the worker${childrenPart(node)}${sends}.`;
}

/** What the worker and the nodes below have of a released node. A lapsed dispute leaves the stored state unchanged. */
function shareOf({ state, floor, pool }: NodeFacts): bigint {
  return state === 'disputed' ? floor : pool;
}

/** True while the terms allow the worker another delivery after a rejection. */
export function hasRevisionLeft({ revisions, maxRevisions }: NodeFacts): boolean {
  return revisions < maxRevisions;
}

function childrenPart(node: NodeFacts): string {
  const part = promised(node);
  return part === 0n ? '' : ` (${usdc(part)} more is promised to the nodes below)`;
}

/**
 * Base units that children may still earn. The contract divides by `allocated`; what returns from children later
 * belongs to the worker.
 */
function promised({ allocated, returned }: NodeFacts): bigint {
  return allocated - returned;
}

function hirer({ isRoot, hirerFunded }: NodeFacts): string {
  if (isRoot) return 'to the buyer';
  return hirerFunded ? 'to its hirer' : 'to the node above';
}

function usdc(units: bigint): string {
  return `${formatUsdc(units)} USDC`;
}
