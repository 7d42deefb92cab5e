import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { dueNodesOf, keptOf, shiftedByTime } from './worked-nodes.sql.js';

/** Most tasks that are shown one by one; the sums are over all tasks. */
export const LISTED_TASKS = 100;

/** A row of both statements, as the text that Postgres sent. */
export interface EarningsRow {
  /** The answer as JSON; null: a time limit has passed since the sums were stored, so they must be computed anew. */
  document: string | null;
}

/** The columns of `sums` and `tasks` joined to the whole answer. `sums` is the document of the account. */
const joined = (sums: string, tasks: string): string => `concat(left(${sums}, -1), ',"by_task":[', (${tasks}), ']}')`;

/**
 * What an account has earned, if no time limit has passed since its sums were stored: $1 account, $2 now. The stored
 * documents are only joined, newest task first. The sweeper keeps it true nearly always (sums/earnings.sweeper.ts).
 */
export const STORED_EARNINGS: PreparedStatement = {
  name: 'earnings_stored',
  text: `SELECT CASE WHEN NOT EXISTS (SELECT FROM node_earnings WHERE ${dueNodesOf('$1', '$2')}) THEN ${joined(
    `coalesce((SELECT document FROM account_earnings WHERE account_id = $1), account_earnings_document(0, 0, 0))`,
    `SELECT string_agg(document, ',' ORDER BY task_id DESC) FROM (
          SELECT task_id, pending, claimable, document FROM task_earnings
          WHERE account_id = $1 ORDER BY task_id DESC LIMIT ${LISTED_TASKS}
        ) newest
        WHERE pending > 0 OR claimable > 0`,
  )} END AS document`,
};

/**
 * The same, whatever time has changed: it computes anew the nodes whose time limit has passed since the sums were
 * stored, so it costs the same however much the account has worked.
 */
export const EARNINGS: PreparedStatement = {
  name: 'earnings',
  text: `WITH RECURSIVE ${shiftedByTime('$1', '$2')}, totals AS (
        SELECT coalesce(sum(pending), 0) AS pending, coalesce(sum(claimable), 0) AS claimable,
          coalesce(sum(paid), 0) AS paid
        FROM (
          SELECT pending, claimable, paid FROM account_earnings WHERE account_id = $1
          UNION ALL SELECT pending, claimable, 0 FROM shift
        ) AS part
      ), listed AS (
        SELECT task_id, coalesce(document, task_earnings_document(task_id, pending, claimable)) AS document FROM (
          (
            SELECT task_id, pending, claimable, document FROM task_earnings
            WHERE account_id = $1 AND task_id NOT IN (SELECT task_id FROM shift)
            ORDER BY task_id DESC LIMIT ${LISTED_TASKS}
          )
          UNION ALL
          SELECT task_id, pending + ${keptOf('pending')}, claimable + ${keptOf('claimable')}, NULL FROM shift
        ) AS task
        WHERE pending > 0 OR claimable > 0
        ORDER BY task_id DESC LIMIT ${LISTED_TASKS}
      )
      SELECT ${joined(
        'account_earnings_document(pending, claimable, paid)',
        `SELECT string_agg(document, ',' ORDER BY task_id DESC) FROM listed`,
      )} AS document
      FROM totals`,
};
