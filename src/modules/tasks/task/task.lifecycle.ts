import type { TaskStatus } from '#libs/contracts';
import type { TaskEntity } from './task.entity.js';

/** What happens to a task: something that is signed, something on the chain, or the end of a time. */
export type TaskEvent =
  | 'creation_signed'
  | 'selection_signed'
  | 'payment_submitted'
  | 'task_recorded'
  | 'node_selected'
  | 'node_funded'
  | 'node_delivered'
  | 'node_rejected'
  | 'node_disputed'
  | 'node_released'
  | 'node_refunded'
  | 'creation_lapsed'
  | 'offers_ended'
  | 'selection_lapsed'
  | 'payment_lapsed';

/** The events that only time brings. */
export const TIME_EVENTS = ['creation_lapsed', 'offers_ended', 'selection_lapsed', 'payment_lapsed'] as const;

/** Every status in which no money is in the tree's root. */
const WITHOUT_ROOT: readonly TaskStatus[] = [
  'draft',
  'open',
  'selected',
  'funding_pending',
  'refunded',
  'cancelled',
  'expired',
];

/**
 * Every way of a task, as data: from which statuses an event leads to which. What the chain says wins over everything
 * that was signed or has lapsed here, so its events start from every status without a root's money; a reorganisation
 * takes facts back and leads from any status to the one that the remaining facts give.
 */
export const TASK_TRANSITIONS: readonly (readonly [from: readonly TaskStatus[], event: TaskEvent, to: TaskStatus])[] = [
  [['draft'], 'creation_signed', 'open'],
  [['draft'], 'creation_lapsed', 'cancelled'],
  // An offer of before the end may be taken again out of what a refund left in the tree, without paying anew.
  [['open', 'selected', 'refunded'], 'selection_signed', 'selected'],
  [['selected', 'funding_pending'], 'payment_submitted', 'funding_pending'],
  [['open', 'selected'], 'offers_ended', 'expired'],
  [['selected'], 'selection_lapsed', 'open'],
  // The selection that was to be paid may have lapsed with the payment, and so may the time for offers.
  [['funding_pending'], 'payment_lapsed', 'selected'],
  [['funding_pending'], 'payment_lapsed', 'open'],
  [['funding_pending'], 'payment_lapsed', 'expired'],
  // As above, where an earlier root was refunded: then the task falls back to that.
  [['selected'], 'selection_lapsed', 'refunded'],
  [['selected'], 'offers_ended', 'refunded'],
  [['funding_pending'], 'payment_lapsed', 'refunded'],
  [['draft', 'cancelled'], 'task_recorded', 'open'],
  [WITHOUT_ROOT, 'node_selected', 'selected'],
  [WITHOUT_ROOT, 'node_funded', 'funded'],
  [['funded', 'rejected'], 'node_delivered', 'delivered'],
  [['delivered'], 'node_rejected', 'rejected'],
  [['rejected'], 'node_disputed', 'disputed'],
  // Both sides can agree on a split from the first moment on.
  [['funded', 'delivered', 'rejected', 'disputed'], 'node_released', 'resolved'],
  [['funded', 'delivered', 'rejected', 'disputed'], 'node_refunded', 'refunded'],
];

/** True when the table has a way from this status by this event. */
export function mayFollow(from: TaskStatus, event: TaskEvent): boolean {
  return TASK_TRANSITIONS.some(([statuses, by]) => by === event && statuses.includes(from));
}

/** Everything that decides a task's status; each moment is the last at which what it ends still holds. */
export type TaskFacts = Pick<
  TaskEntity,
  | 'offersUntil'
  | 'draftUntil'
  | 'openedAt'
  | 'chainStatus'
  | 'chainUntil'
  | 'chainAgentId'
  | 'openedRoots'
  | 'fundedRoots'
  | 'selectionAgentId'
  | 'selectionNodeNumber'
  | 'selectionUntil'
  | 'fundingNodeNumber'
  | 'fundingUntil'
>;

/** A task's status at one moment. */
export interface TaskStanding {
  readonly status: TaskStatus;
  /** The agent that was chosen, as long as it is. */
  readonly selectedAgentId: string | null;
  /** The first moment at which time alone makes another status of it; null: never. */
  readonly changesAt: Date | null;
}

/** The statuses that a root node's money gives a task; time does not end them, and nothing but the chain does. */
const DECIDED: ReadonlySet<TaskStatus> = new Set(['funded', 'delivered', 'rejected', 'disputed', 'resolved']);

/**
 * The status of a task at `nowMs`, the first that fits:
 *
 * | status | when |
 * |---|---|
 * | `funded`, `delivered`, `rejected`, `disputed`, `resolved` | the chain's deciding root node says so |
 * | `funding_pending` | a payment was handed in and can still be executed |
 * | `expired` | the time for offers is over and no root was ever funded |
 * | `selected` | a selection stands, the chain's or a signed one, and the time for offers is not over |
 * | `refunded` | a root was funded and its money went back |
 * | `open` | `CreateTask` is signed or on the chain |
 * | `draft` | its signature can still come |
 * | `cancelled` | otherwise |
 */
export function taskStanding(facts: TaskFacts, nowMs: number): TaskStanding {
  if (facts.chainStatus !== null && DECIDED.has(facts.chainStatus)) {
    return { status: facts.chainStatus, selectedAgentId: facts.chainAgentId, changesAt: null };
  }
  const payment = standingPayment(facts, nowMs);
  if (payment) return { status: 'funding_pending', selectedAgentId: payment.agentId, changesAt: after(payment.until) };
  const { offersUntil } = facts;
  const isRefunded = facts.fundedRoots.length > 0 || facts.chainStatus === 'refunded';
  const takesOffers = nowMs <= offersUntil.getTime();
  const selection = takesOffers ? standingSelection(facts, nowMs) : null;
  if (selection) {
    const changesAt = after(earlier(selection.until, offersUntil));
    return { status: 'selected', selectedAgentId: selection.agentId, changesAt };
  }
  if (isRefunded) {
    const selectedAgentId = facts.chainStatus === 'refunded' ? facts.chainAgentId : null;
    return { status: 'refunded', selectedAgentId, changesAt: null };
  }
  return { ...unselected(facts, nowMs, takesOffers), selectedAgentId: null };
}

/** The task with the status that time has given it, be it ahead of its row. */
export function asOf(task: TaskEntity, nowMs: number): TaskEntity {
  return task.statusDueAt !== null && task.statusDueAt.getTime() <= nowMs ? settle(task, nowMs) : task;
}

/** Gives the task what its facts make of it at `nowMs`; its row is as it was. */
export function settle(task: TaskEntity, nowMs: number): TaskEntity {
  const { status, selectedAgentId, changesAt } = taskStanding(task, nowMs);
  return Object.assign(task, { status, selectedAgentId, statusDueAt: changesAt });
}

/** True while the task takes offers and a selection: also after a refund, until its offers end. */
export function takesOffers(task: Pick<TaskEntity, 'status' | 'offersUntil'>, nowMs: number): boolean {
  return mayFollow(task.status, 'selection_signed') && nowMs <= task.offersUntil.getTime();
}

/** Number of the root node that the standing selection opens or has opened; null without one. */
export function selectedNode(facts: TaskFacts, nowMs: number): number | null {
  return nowMs <= facts.offersUntil.getTime() ? (standingSelection(facts, nowMs)?.node ?? null) : null;
}

function unselected(
  { openedAt, chainStatus, draftUntil, offersUntil }: TaskFacts,
  nowMs: number,
  takesOffersNow: boolean,
): Pick<TaskStanding, 'status' | 'changesAt'> {
  const isOpened = openedAt !== null || chainStatus === 'open' || chainStatus === 'selected';
  if (isOpened && takesOffersNow) return { status: 'open', changesAt: after(offersUntil) };
  if (isOpened) return { status: 'expired', changesAt: null };
  const until = draftUntil === null ? offersUntil : earlier(draftUntil, offersUntil);
  if (nowMs <= until.getTime()) return { status: 'draft', changesAt: after(until) };
  return { status: 'cancelled', changesAt: null };
}

interface Claim {
  node: number | null;
  agentId: string | null;
  until: Date;
}

/** The payment that was handed in, while it can be executed and the chain does not have it. */
function standingPayment(facts: TaskFacts, nowMs: number): Claim | null {
  const { fundingNodeNumber: node, fundingUntil: until } = facts;
  if (node === null || until === null || nowMs > until.getTime() || facts.fundedRoots.includes(node)) return null;
  return { node, until, agentId: node === facts.selectionNodeNumber ? facts.selectionAgentId : facts.chainAgentId };
}

/** The selection that stands: the signed one until the chain has its node, then what the chain says of it. */
function standingSelection(facts: TaskFacts, nowMs: number): Claim | null {
  const { selectionNodeNumber: node, selectionUntil, selectionAgentId, chainAgentId, offersUntil } = facts;
  const isAhead = node !== null && !facts.openedRoots.includes(node);
  if (isAhead && selectionUntil !== null && nowMs <= selectionUntil.getTime()) {
    return { node, agentId: selectionAgentId, until: selectionUntil };
  }
  if (facts.chainStatus !== 'selected') return null;
  const until = facts.chainUntil ?? offersUntil;
  if (nowMs > until.getTime()) return null;
  return { node: facts.openedRoots.at(-1) ?? null, agentId: chainAgentId, until };
}

function earlier(one: Date, other: Date): Date {
  return one.getTime() <= other.getTime() ? one : other;
}

/** The first moment at which a time is over; times are whole milliseconds. */
function after(last: Date): Date {
  return new Date(last.getTime() + 1);
}
