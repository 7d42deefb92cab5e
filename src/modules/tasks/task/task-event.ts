import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import type { RecordedEvent } from '../../events/catalogue/event.js';
import type { TaskEvents } from '../../events/catalogue/task-event-data.js';
import type { TaskEntity } from './task.entity.js';

/** The columns by whose change an event is chosen. */
export type ToldOfTask = Pick<TaskEntity, 'status' | 'selectionActionId'>;

/**
 * The type of the event of a task's change; null for one that has none, as those by the chain.
 * @param before null for a new task.
 */
export function taskEventType(before: ToldOfTask | null, task: ToldOfTask): keyof TaskEvents | null {
  const { status } = task;
  if (before === null) return 'task.created';
  const isSelectedAnew = status === 'selected' && task.selectionActionId !== before.selectionActionId;
  if (isSelectedAnew) return 'task.agent_selected';
  if (status === before.status) return null;
  if (status === 'open') return before.status === 'draft' ? 'task.opened' : 'task.updated';
  if (status === 'selected' || status === 'funding_pending') return 'task.updated';
  if (status === 'cancelled') return 'task.cancelled';
  return status === 'expired' ? 'task.expired' : null;
}

/**
 * Who sees the task by its status alone: everybody or its buyer (docs/decisions/interface.md#visibility); null where the
 * rows of its parties say who. Equals `listedTask` of task-visibility.sql.ts.
 */
export function plainAudience(task: TaskEntity): 'public' | [string] | null {
  if (task.status === 'draft' || task.status === 'cancelled') return [task.buyerAccountId];
  return task.tier === 'public' && task.hiddenAt === null ? 'public' : null;
}

/** The event of a task's change. */
export function taskEvent(
  type: keyof TaskEvents,
  before: ToldOfTask | null,
  task: TaskEntity,
  audience: 'public' | readonly string[],
  at: Date,
): RecordedEvent<keyof TaskEvents> {
  return {
    type,
    at,
    subject: { kind: 'task', id: task.id, taskId: task.id },
    audience,
    data: {
      status: { ...(before === null ? {} : { from: before.status }), to: task.status },
      budget: MoneyDto.from(task.budget),
      deadline: task.offersUntil.toISOString(),
      ...(task.selectedAgentId === null ? {} : { selected_agent_id: task.selectedAgentId }),
    },
  };
}
