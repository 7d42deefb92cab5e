import { Injectable } from '@nestjs/common';
import type { TaskStatus } from '#libs/contracts';
import { type PreparedStatement, runPrepared, Transactions } from '../../platform/database/transactions.js';
import type { TaskEntity } from '../tasks/task.entity.js';
import type { RankedMatch } from './agent-ranking.js';
import { ESTABLISHED_SETTLEMENTS } from './matching-constants.js';

/**
 * Counts that agents ($2) were shown for a task ($1): once per task, so that nobody drives others' count up by looking
 * again. In order, so that two who count the same agents never wait for each other in a circle.
 */
const COUNT: PreparedStatement = {
  name: 'match_impressions_count',
  text: `WITH shown AS (
      INSERT INTO match_impressions (task_id, agent_id) SELECT $1, unnest($2::text[])
      ON CONFLICT (task_id, agent_id) DO NOTHING RETURNING agent_id
    )
    INSERT INTO agent_impressions AS known (agent_id, impressions)
    SELECT agent_id, 1 FROM shown ORDER BY agent_id
    ON CONFLICT (agent_id) DO UPDATE SET impressions = known.impressions + 1`,
};

interface ShownPage {
  page: readonly RankedMatch[];
  /** Those of them, and others, that are known to be counted for the task. */
  shown: ReadonlySet<string>;
}

/** Statuses of tasks that nobody is hired for, yet or any more: what is shown for one of them counts for nobody. */
const UNCOUNTED: ReadonlySet<TaskStatus> = new Set(['draft', 'resolved', 'cancelled', 'expired']);

/**
 * Which agents without a record of their own have been shown, so that each has its turn
 * (docs/decisions/ranking.md#discovery-and-variety).
 */
@Injectable()
export class MatchImpressions {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Counts a first page that the buyer of a task is shown. A draft costs nothing, so it counts for nobody; the rows of an
   * ended task are deleted, so that nothing may be counted for it again.
   */
  async count(accountId: string, task: TaskEntity, { page, shown }: ShownPage): Promise<void> {
    if (accountId !== task.buyerAccountId || UNCOUNTED.has(task.status)) return;
    const newcomers = page
      .map(({ candidate }) => candidate)
      .filter(({ reputation }) => (reputation?.independentSettlements ?? 0) < ESTABLISHED_SETTLEMENTS)
      .filter(({ agentId }) => !shown.has(agentId));
    if (newcomers.length === 0) return;
    await runPrepared(this.transactions.manager, COUNT, [task.id, newcomers.map(({ agentId }) => agentId)]);
  }
}
