import { keptOf, shiftedByTime } from './worked-nodes.sql.js';

/** Most tasks that are shown one by one; the sums are over all tasks. */
export const LISTED_TASKS = 100;

/**
 * What an account has earned: $1 account, $2 now. One row per listed task, newest first, each with the sums over all tasks;
 * at least one row, whose task is null when no task is listed. It reads the stored sums, and computes anew only the nodes
 * that time has changed since, so it costs the same however much the account has worked.
 */
export const EARNINGS = {
  name: 'earnings',
  text: `WITH RECURSIVE ${shiftedByTime('$1', '$2')}, totals AS (
        SELECT coalesce(sum(pending), 0) AS all_pending, coalesce(sum(claimable), 0) AS all_claimable,
          coalesce(sum(paid), 0) AS all_paid
        FROM (
          SELECT pending, claimable, paid FROM account_earnings WHERE account_id = $1
          UNION ALL SELECT pending, claimable, 0 FROM shift
        ) AS part
      ), listed AS (
        SELECT task_id, pending, claimable FROM (
          (
            SELECT task_id, pending, claimable FROM task_earnings
            WHERE account_id = $1 AND task_id NOT IN (SELECT task_id FROM shift)
            ORDER BY task_id DESC LIMIT ${LISTED_TASKS}
          )
          UNION ALL
          SELECT task_id, pending + ${keptOf('pending')}, claimable + ${keptOf('claimable')} FROM shift
        ) AS task
        WHERE pending > 0 OR claimable > 0
        ORDER BY task_id DESC LIMIT ${LISTED_TASKS}
      )
      SELECT all_pending, all_claimable, all_paid, listed.task_id, listed.pending, listed.claimable
      FROM totals LEFT JOIN listed ON true ORDER BY listed.task_id DESC`,
} as const;
