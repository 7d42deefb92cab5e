import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import type { RecordedEvent } from '../../events/catalogue/event.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';
import type { AgentPlace } from '../ranking/task-ranking.js';

/** Owners that are told of one task. (policy) */
export const MOST_OWNERS = 50;
/** Agents of one owner that an event names, so that it stays small. (policy) */
export const MOST_AGENTS = 10;

/**
 * The events that tell the owners of the best matching agents of an opened task, one for each owner, who is told the places
 * of its own agents and no other's.
 * @param places best first.
 */
export function matchedEvents(
  task: TaskEntity,
  places: readonly AgentPlace[],
  at: Date,
): RecordedEvent<'task.matched'>[] {
  const byOwner = new Map<string, AgentPlace[]>();
  for (const place of places) {
    const own = byOwner.get(place.accountId);
    if (own) own.push(place);
    else if (byOwner.size < MOST_OWNERS) byOwner.set(place.accountId, [place]);
  }
  return [...byOwner].map(([owner, own]) => ({
    type: 'task.matched',
    at,
    subject: { kind: 'task', id: task.id, taskId: task.id },
    audience: [owner],
    data: {
      budget: MoneyDto.from(task.budget),
      deadline: task.offersUntil.toISOString(),
      agents: own.slice(0, MOST_AGENTS).map(({ agentId, rank, score }) => ({ agent_id: agentId, rank, score })),
    },
  }));
}
