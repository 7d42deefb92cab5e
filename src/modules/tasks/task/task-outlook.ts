import type { TaskEntity } from './task.entity.js';

/** What happens to a task if nobody acts. */
export interface TaskOutlook {
  /** When time decides next; null when it does not any more. */
  readonly dueAt: Date | null;
  /** One sentence: what happens, when, with which amount. */
  readonly next: string;
}

/** What decides about the future of a task without a root node. Its status is that of now. */
export type Undecided = Pick<TaskEntity, 'status' | 'statusDueAt' | 'offersUntil' | 'fundedRoots'>;

/**
 * The future of a task as long as no root node decides it; null when one does. No money is in the tree then, but for
 * what an earlier refund left to the buyer.
 */
export function taskOutlook(task: Undecided): TaskOutlook | null {
  // The moment before the first at which the status is another.
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
