import type { TaskStatus, TreeStep } from '#libs/contracts';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import type { RecordedEvent } from '../../events/catalogue/event.js';
import type { TaskEvents } from '../../events/catalogue/task-event-data.js';
import type { TaskEntity } from './task.entity.js';

/** The columns by whose change an event is chosen. */
export type ToldOfTask = Pick<TaskEntity, 'status' | 'selectionActionId'>;

/** The statuses that the chain gives a task, each with its event. */
const CHAIN_TYPES: Readonly<Partial<Record<TaskStatus, keyof TaskEvents>>> = {
  funded: 'task.funded',
  delivered: 'task.delivered',
  rejected: 'task.rejected',
  disputed: 'task.disputed',
  resolved: 'task.resolved',
  refunded: 'task.refunded',
};

/**
 * The type of the event of a task's change by anything but a new fact of the chain; null for one that has none.
 * @param before null for a new task.
 */
export function taskEventType(before: ToldOfTask | null, task: ToldOfTask): keyof TaskEvents | null {
  const { status } = task;
  if (before === null) return 'task.created';
  const isSelectedAnew = status === 'selected' && task.selectionActionId !== before.selectionActionId;
  if (isSelectedAnew) return 'task.agent_selected';
  if (status === before.status) return null;
  if (status === 'open') return before.status === 'draft' ? 'task.opened' : 'task.updated';
  if (status === 'cancelled') return 'task.cancelled';
  return status === 'expired' ? 'task.expired' : 'task.updated';
}

/** One change of a task that the chain has made, or that follows from what it has made. */
export interface ChainChange {
  readonly type: keyof TaskEvents;
  readonly before: Pick<ToldOfTask, 'status'> | null;
  readonly to: TaskStatus;
  readonly task: TaskEntity;
  /** Null for what follows from all steps together. */
  readonly cause: TreeStep | null;
}

/**
 * The changes of a task's status by these facts of the chain, and at the end the one to the status that it has: a standing
 * selection may come before a refund, and a reorganisation leaves what signatures say.
 * @param before what was told of it last.
 */
export function chainChanges(before: ToldOfTask, task: TaskEntity, steps: readonly TreeStep[]): ChainChange[] {
  const changes: ChainChange[] = [];
  let from = before.status;
  for (const cause of steps) {
    const { statusBefore, status: to } = cause;
    const type = to === statusBefore || to === null ? undefined : CHAIN_TYPES[to];
    if (type === undefined || to === null) continue;
    // What was told of it last may be what the chain has taken back, and has made again.
    const was = from === to ? statusBefore : from;
    changes.push({ type, before: was === null ? null : { status: was }, to, task, cause });
    from = to;
  }
  const type = taskEventType({ ...before, status: from }, task);
  return type === null ? changes : [...changes, { type, before: { status: from }, to: task.status, task, cause: null }];
}

/**
 * Who sees the task by its status alone: everybody or its buyer (docs/decisions/interface.md#visibility); null where the
 * rows of its parties say who. Equals `listedTask` of task-visibility.sql.ts.
 */
export function plainAudience(task: TaskEntity): 'public' | [string] | null {
  if (task.status === 'draft' || task.status === 'cancelled') return [task.buyerAccountId];
  return task.tier === 'public' && task.hiddenAt === null ? 'public' : null;
}

/**
 * The event of a task's change.
 * @param to the status that it has led to; absent: the task's own.
 */
export function taskEvent(
  type: keyof TaskEvents,
  before: Pick<ToldOfTask, 'status'> | null,
  task: TaskEntity,
  audience: 'public' | readonly string[],
  at: Date,
  to = task.status,
): RecordedEvent<keyof TaskEvents> {
  return {
    type,
    at,
    subject: { kind: 'task', id: task.id, taskId: task.id },
    audience,
    data: {
      status: { ...(before === null ? {} : { from: before.status }), to },
      budget: MoneyDto.from(task.budget),
      deadline: task.offersUntil.toISOString(),
      ...(task.selectedAgentId === null ? {} : { selected_agent_id: task.selectedAgentId }),
    },
  };
}
