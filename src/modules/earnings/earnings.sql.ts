import { workedNodes } from './worked-nodes.sql.js';

/** Tasks that are shown one by one; the sums are over all of them. */
export const LISTED_TASKS = 100;

/**
 * What an account has earned: $1 account, $2 now. One row per listed task, newest first, each with the sums over all; at
 * least one row, whose task is null when no task is listed.
 *
 * What a worker has taken out of a node is what its settlement left in it less what is still there. Only a settlement that
 * divided the node needs to be looked up; every other left all that the node was opened with.
 */
export const EARNINGS = {
  name: 'earnings',
  text: `WITH RECURSIVE ${workedNodes('$1', '$2')}, payouts AS (
        SELECT CASE
            WHEN state <> 'released' THEN 0
            WHEN outcome IN ('accepted', 'accept_window_lapsed') THEN amount - pool
            ELSE (
              SELECT (settled.fact->>'workerShare')::numeric FROM chain_facts settled
              WHERE settled.task_id = worked.task_id AND settled.fact->>'type' = 'NodeSettled'
                AND (settled.fact->>'nodeId')::integer = worked.number
            ) - pool
          END AS paid
        FROM worked
      ), totals AS (
        SELECT coalesce(sum(share) FILTER (WHERE fate = 'pending'), 0) AS all_pending,
          coalesce(sum(share) FILTER (WHERE fate = 'claimable'), 0) AS all_claimable,
          (SELECT coalesce(sum(paid), 0) FROM payouts) AS all_paid
        FROM worked
      ), listed AS (
        SELECT task_id,
          coalesce(sum(share) FILTER (WHERE fate = 'pending'), 0) AS pending,
          coalesce(sum(share) FILTER (WHERE fate = 'claimable'), 0) AS claimable
        FROM worked WHERE fate <> 'lost' AND share > 0
        GROUP BY task_id ORDER BY task_id DESC LIMIT ${LISTED_TASKS}
      )
      SELECT all_pending, all_claimable, all_paid, listed.task_id, listed.pending, listed.claimable
      FROM totals LEFT JOIN listed ON true ORDER BY listed.task_id DESC`,
} as const;
