import type { TaskStatus } from '#libs/contracts';
import type { TaskEntity } from '../../tasks/task/task.entity.js';
import type { RankedMatch } from '../ranking/agent-ranking.js';
import { ESTABLISHED_SETTLEMENTS } from '../relevance/matching-constants.js';

/** Statuses in which nobody can be hired for a task; agents shown for such a task are not counted. */
const UNCOUNTED: ReadonlySet<TaskStatus> = new Set(['draft', 'resolved', 'cancelled', 'expired']);

/**
 * Ids of the agents on a first page that must be counted as shown for a task, so that every agent without a record gets
 * its turn (docs/decisions/ranking.md#discovery-and-variety). Empty when the page is not the buyer's. A draft does not
 * count, because drafts cost nothing. An ended task does not count, because its rows were deleted and would be counted
 * twice.
 * @param shown ids of agents already counted for the task.
 */
export function impressionsOf(
  accountId: string,
  task: Pick<TaskEntity, 'buyerAccountId' | 'status'>,
  page: readonly RankedMatch[],
  shown: ReadonlySet<string>,
): string[] {
  if (accountId !== task.buyerAccountId || UNCOUNTED.has(task.status)) return [];
  return page
    .map(({ candidate }) => candidate)
    .filter(({ reputation }) => (reputation?.independentSettlements ?? 0) < ESTABLISHED_SETTLEMENTS)
    .map(({ agentId }) => agentId)
    .filter((agentId) => !shown.has(agentId));
}
