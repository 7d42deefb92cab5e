import type { TaskEntity } from './task.entity.js';

/** What happens to a task if nobody acts. */
export interface TaskOutlook {
  /** The next moment at which time alone changes the status; null when there is none. */
  readonly dueAt: Date | null;
  /** One sentence: what happens, when, with which amount. */
  readonly next: string;
}

/** The columns that decide the outlook while no root node does. `status` must be the current one. */
export type Undecided = Pick<TaskEntity, 'status' | 'statusDueAt' | 'offersUntil' | 'fundedRoots'>;

/**
 * The outlook of a task while no root node decides it; null when one does. The tree holds no money then, except the
 * buyer's share from an earlier refund.
 */
export function taskOutlook(task: Undecided): TaskOutlook | null {
  // The last moment of the current status.
  const dueAt = task.statusDueAt === null ? null : new Date(task.statusDueAt.getTime() - 1);
  const next = sentence(task, dueAt ?? task.offersUntil);
  return next === null ? null : { dueAt, next };
}

function sentence({ status, offersUntil, fundedRoots }: Undecided, dueAt: Date): string | null {
  const until = utc(dueAt);
  switch (status) {
    case 'draft':
      return `Unless the buyer signs its creation by ${until}, the draft is cancelled; no money is involved.`;
    case 'open':
      return `Without a funded node by ${until}, the task expires; no money is involved.`;
    case 'selected':
      if (fundedRoots.length > 0)
        return `Unless the selected offer is funded by ${until}, the selection lapses; no money moves.`;
      return dueAt.getTime() >= offersUntil.getTime()
        ? `Unless the selected offer is funded by ${until}, the task expires; no money is involved.`
        : `Unless the selected offer is funded by ${until}, the task is open again; no money is involved.`;
    case 'funding_pending':
      return `Unless the payment that was handed in is executed by ${until}, it lapses and no money moves.`;
    case 'cancelled':
      return 'It is over: its creation was never signed, and no money is involved.';
    case 'expired':
      return 'It is over: no node was funded in time, and no money is involved.';
    case 'funded':
    case 'delivered':
    case 'rejected':
    case 'disputed':
    case 'resolved':
    case 'refunded':
      return null;
  }
}

function utc(time: Date): string {
  return time.toISOString().replace('.000Z', 'Z');
}
