import { allWorkedBy, worthOf } from '../../src/modules/earnings/worked-nodes/worked-nodes.sql.js';

/** What the service reads from sums, computed from every node of the account: $1 account, $2 now. */
export const EARNED_ANEW = `WITH RECURSIVE ${worthOf(allWorkedBy('$1'), '$2')}
  SELECT coalesce(sum(share) FILTER (WHERE fate = 'pending'), 0)::text AS pending,
    coalesce(sum(share) FILTER (WHERE fate = 'claimable'), 0)::text AS claimable,
    coalesce(sum(withdrawn), 0)::text AS paid,
    ARRAY(
      SELECT task_id || ' ' || coalesce(sum(share) FILTER (WHERE fate = 'pending'), 0) || ' '
        || coalesce(sum(share) FILTER (WHERE fate = 'claimable'), 0)
      FROM worked WHERE fate <> 'lost' AND share > 0 GROUP BY task_id ORDER BY task_id DESC LIMIT 100
    ) AS by_task
  FROM worked`;

/**
 * The node with most to withdraw in the task with most to withdraw, found by reading every node of the account: $1
 * account, $2 now.
 */
export const RICHEST_ANEW = `WITH RECURSIVE ${worthOf(allWorkedBy('$1'), '$2')}, claims AS (
    SELECT *, CASE WHEN fate = 'claimable' THEN share ELSE 0 END AS claimable FROM worked
  )
  SELECT CASE WHEN fate = 'claimable' AND share > 0 THEN id END AS id,
    coalesce(sum(share) FILTER (WHERE fate = 'pending') OVER (), 0)::text AS pending,
    min(clock) FILTER (WHERE fate = 'pending' AND NOT lapsed AND state <> 'released') OVER () AS next_due
  FROM claims
  ORDER BY sum(claimable) OVER (PARTITION BY task_id) DESC, task_id DESC, claimable DESC, path LIMIT 1`;
