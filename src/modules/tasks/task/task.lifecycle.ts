import type { TaskStatus } from '#libs/contracts';
import { pathText } from '#libs/kernel';
import type { TaskEntity } from './task.entity.js';

/** Events that change a task: a signed action, an event on the chain, or the end of a time limit. */
export type TaskEvent =
  | 'creation_signed'
  | 'selection_signed'
  | 'payment_submitted'
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

/** The events that time alone causes. */
export const TIME_EVENTS = ['creation_lapsed', 'offers_ended', 'selection_lapsed', 'payment_lapsed'] as const;

/** The statuses in which no root node holds money. */
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
 * All transitions of a task: from these statuses, this event leads to that status. The chain overrides everything that
 * was signed or has lapsed here, so a payment can come in every status in `WITHOUT_ROOT`. A reorganisation is not in the
 * table: it can lead from any status to any other.
 */
export const TASK_TRANSITIONS: readonly (readonly [from: readonly TaskStatus[], event: TaskEvent, to: TaskStatus])[] = [
  [['draft'], 'creation_signed', 'open'],
  [['draft'], 'creation_lapsed', 'cancelled'],
  // After a refund the buyer can select another offer and fund it with the refunded money that is still in the tree.
  [['open', 'selected', 'refunded'], 'selection_signed', 'selected'],
  [['selected', 'funding_pending'], 'payment_submitted', 'funding_pending'],
  [['open', 'selected'], 'offers_ended', 'expired'],
  [['selected'], 'selection_lapsed', 'open'],
  // By the time the payment lapses, the selection or the time for offers may be over too.
  [['funding_pending'], 'payment_lapsed', 'selected'],
  [['funding_pending'], 'payment_lapsed', 'open'],
  [['funding_pending'], 'payment_lapsed', 'expired'],
  // The same three when an earlier root node was refunded: the task returns to `refunded`.
  [['selected'], 'selection_lapsed', 'refunded'],
  [['selected'], 'offers_ended', 'refunded'],
  [['funding_pending'], 'payment_lapsed', 'refunded'],
  [WITHOUT_ROOT, 'node_funded', 'funded'],
  [['funded', 'rejected'], 'node_delivered', 'delivered'],
  [['delivered'], 'node_rejected', 'rejected'],
  [['rejected'], 'node_disputed', 'disputed'],
  // Both sides can agree on a split at any time after funding.
  [['funded', 'delivered', 'rejected', 'disputed'], 'node_released', 'resolved'],
  [['funded', 'delivered', 'rejected', 'disputed'], 'node_refunded', 'refunded'],
];

/** True when the table has a transition from this status by this event. */
export function mayFollow(from: TaskStatus, event: TaskEvent): boolean {
  return TASK_TRANSITIONS.some(([statuses, by]) => by === event && statuses.includes(from));
}

/** The columns that decide a task's status. Every time in them is inclusive: the last moment that still counts. */
export type TaskFacts = Pick<
  TaskEntity,
  | 'offersUntil'
  | 'draftUntil'
  | 'openedAt'
  | 'chainStatus'
  | 'chainAgentId'
  | 'fundedRoots'
  | 'selectionAgentId'
  | 'selectionNodePath'
  | 'selectionUntil'
  | 'fundingNodePath'
  | 'fundingUntil'
>;

/** A task's status at one moment. */
export interface TaskStanding {
  readonly status: TaskStatus;
  /** The selected agent; null when none is selected. */
  readonly selectedAgentId: string | null;
  /** When time alone will next change the status; null for never. */
  readonly changesAt: Date | null;
}

/** The statuses that a funded root node gives the task; only the chain ends them, never time. */
const DECIDED: ReadonlySet<TaskStatus> = new Set(['funded', 'delivered', 'rejected', 'disputed', 'resolved']);

/**
 * The status of a task at `nowMs`:
 *
 * | status | when |
 * |---|---|
 * | `funded`, `delivered`, `rejected`, `disputed`, `resolved` | the chain's deciding root node says so |
 * | `funding_pending` | a payment was submitted and can still be executed |
 * | `expired` | the time for offers is over and no root was ever funded |
 * | `selected` | a signed selection stands whose node was never funded, and the time for offers is not over |
 * | `refunded` | a root was funded and its money went back |
 * | `open` | `CreateTask` is signed |
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
  const takesOffers = nowMs <= offersUntil.getTime();
  const selection = takesOffers ? standingSelection(facts, nowMs) : null;
  if (selection) {
    const changesAt = after(earlier(selection.until, offersUntil));
    return { status: 'selected', selectedAgentId: selection.agentId, changesAt };
  }
  if (facts.chainStatus === 'refunded') {
    return { status: 'refunded', selectedAgentId: facts.chainAgentId, changesAt: null };
  }
  return { ...unselected(facts, nowMs, takesOffers), selectedAgentId: null };
}

/** The task with its status at `nowMs`, which may be newer than the row. */
export function asOf(task: TaskEntity, nowMs: number): TaskEntity {
  return task.statusDueAt !== null && task.statusDueAt.getTime() <= nowMs ? settle(task, nowMs) : task;
}

/** Sets the task's status at `nowMs` in the object; the row is not written. */
export function settle(task: TaskEntity, nowMs: number): TaskEntity {
  const { status, selectedAgentId, changesAt } = taskStanding(task, nowMs);
  return Object.assign(task, { status, selectedAgentId, statusDueAt: changesAt });
}

/** True while the task accepts offers and selections, also after a refund, until `offersUntil`. */
export function takesOffers(task: Pick<TaskEntity, 'status' | 'offersUntil'>, nowMs: number): boolean {
  return mayFollow(task.status, 'selection_signed') && nowMs <= task.offersUntil.getTime();
}

/** Path of the root node of the current selection; null without a selection. */
export function selectedNode(facts: TaskFacts, nowMs: number): bigint | null {
  return nowMs <= facts.offersUntil.getTime() ? (standingSelection(facts, nowMs)?.node ?? null) : null;
}

function unselected(
  { openedAt, draftUntil, offersUntil }: TaskFacts,
  nowMs: number,
  takesOffersNow: boolean,
): Pick<TaskStanding, 'status' | 'changesAt'> {
  if (openedAt !== null && takesOffersNow) return { status: 'open', changesAt: after(offersUntil) };
  if (openedAt !== null) return { status: 'expired', changesAt: null };
  const until = draftUntil === null ? offersUntil : earlier(draftUntil, offersUntil);
  if (nowMs <= until.getTime()) return { status: 'draft', changesAt: after(until) };
  return { status: 'cancelled', changesAt: null };
}

interface Claim {
  node: bigint;
  agentId: string | null;
  until: Date;
}

/** The submitted payment, while it can still be executed and is not on the chain. */
function standingPayment(facts: TaskFacts, nowMs: number): Claim | null {
  const { fundingNodePath: node, fundingUntil: until } = facts;
  if (node === null || until === null || nowMs > until.getTime() || isFunded(facts, node)) return null;
  return { node, until, agentId: node === facts.selectionNodePath ? facts.selectionAgentId : facts.chainAgentId };
}

/** The signed selection, while the offer is valid and its node was never funded. */
function standingSelection(facts: TaskFacts, nowMs: number): Claim | null {
  const { selectionNodePath: node, selectionUntil: until, selectionAgentId: agentId } = facts;
  if (node === null || until === null || nowMs > until.getTime() || isFunded(facts, node)) return null;
  return { node, agentId, until };
}

/** True when the root node with this path was funded, also when its money has gone back since. */
export function isFunded({ fundedRoots }: Pick<TaskFacts, 'fundedRoots'>, path: bigint): boolean {
  return fundedRoots.includes(pathText(path));
}

function earlier(one: Date, other: Date): Date {
  return one.getTime() <= other.getTime() ? one : other;
}

/** The first moment after a time; times are whole milliseconds. */
function after(last: Date): Date {
  return new Date(last.getTime() + 1);
}
