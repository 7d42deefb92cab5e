import type { TaskStatus } from '#libs/contracts';
import type { TaskEntity } from '../../tasks/task/task.entity.js';
import type { RankedMatch } from '../ranking/agent-ranking.js';
import { ESTABLISHED_SETTLEMENTS } from '../relevance/matching-constants.js';

/** Statuses of tasks that nobody is hired for, yet or any more: what is shown for one of them counts for nobody. */
const UNCOUNTED: ReadonlySet<TaskStatus> = new Set(['draft', 'resolved', 'cancelled', 'expired']);

/**
 * Which agents of a first page are to be counted as shown for a task, so that each without a record of its own has its
 * turn (docs/decisions/ranking.md#discovery-and-variety): ids, none of them when the page is not its buyer's. A draft
 * costs nothing, so it counts for nobody; the rows of an ended task are deleted, so that nothing may be counted for it
 * again.
 * @param shown those that are known to be counted for the task.
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
