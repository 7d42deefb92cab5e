import { byKey } from '../../../platform/database/reads/by-key.sql.js';
import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { LAPSED_STATE } from '../../escrow/node/node-clocks.sql.js';
import { FATE_COLUMNS, fateJoins, fatesOfPage, RETURNED, returnsBelow } from '../../escrow/node/node-ancestors.sql.js';

/** A node that has something to withdraw, and its tree's contract. */
export interface NodeRow {
  id: string;
  task_id: string;
  path: string;
  worker_wallet: string;
  escrow_address: string;
}

/** A row of `RICHEST` and `RICHEST_OF_TASK`. The node's columns are null when nothing can be withdrawn. */
export type WorkedRow = { [Column in keyof NodeRow]: NodeRow[Column] | null } & {
  pending: string | null;
  next_due: Date | null;
};

/**
 * Every node that an account works on, as a page for `worthOf`. Because a worker is a party of its task, the nodes are
 * found by two primary keys. The cost grows with all that the account has ever worked on.
 *
 * @param account placeholder of the account's id.
 */
export function allWorkedBy(account: string): string {
  return `SELECT node.* FROM task_parties party
        JOIN escrow_nodes node ON node.task_id = party.task_id AND node.worker_account_id = party.account_id
        WHERE party.account_id = ${account} AND party.role = 'worker'`;
}

/**
 * What nodes are worth to their workers, as common table expressions for a statement that begins with `WITH RECURSIVE`.
 * `worked` has one row per node: its columns, `lapsed`, `share` (base units of the worker itself) and `fate`:
 *
 * - `claimable`: the contract would pay the share out now (libs/contracts/src/tree/node-clock.ts, `withdrawableOf`), once the
 *   nodes below that time has sent back are finalized, whose money is part of the share;
 * - `pending`: the node, or a node above that it is paid from, has not ended yet;
 * - `lost`: the money went back, or a passed time limit has decided that it goes back.
 *
 * @param nodes selects all columns of the nodes; conditions on which ones belong in here, before anything is looked up.
 * @param now placeholder of the moment, castable to timestamptz.
 */
export function worthOf(nodes: string, now: string): string {
  return `found AS (
        ${nodes}
      ), page AS (
        SELECT found.*, found.clock < ${now}::timestamptz AS lapsed FROM found
      ), ${fatesOfPage(now)}, standing AS (
        SELECT page.*,${FATE_COLUMNS}
        FROM page ${fateJoins(now)}
      ), worked AS (
        SELECT standing.*,
          CASE WHEN state = 'disputed' AND lapsed THEN floor ELSE pool END - allocated
            + returned AS share,
          CASE
            WHEN backers = 'closed' OR state = 'refunded' OR (lapsed AND ${LAPSED_STATE} = 'refunded') THEN 'lost'
            WHEN backers = 'released' AND (state = 'released' OR (lapsed AND ${LAPSED_STATE} = 'released'))
              THEN 'claimable'
            ELSE 'pending'
          END AS fate
        FROM standing
      )`;
}

/**
 * Condition for rows of node_earnings: a time limit has passed since the account's row was written. With one bound a
 * generic plan expects a third of all nodes; with two bounds and an array of what they find, it expects few.
 *
 * @param account placeholder of the account's id.
 * @param now placeholder of the moment, castable to timestamptz.
 */
export function dueNodesOf(account: string, now: string): string {
  return `account_id = ${account} AND next_at >= '-infinity' AND next_at < ${now}::timestamptz`;
}

/**
 * What the stored sums of an account lack, as common table expressions that include `worthOf`: the nodes for which a time
 * limit has passed since the sums were written, computed anew. `live` has one row for each node; `shift` has, for each of
 * their tasks, what they add to its sums. They are few, however much the account has worked, because the sweeper
 * (sums/earnings.sweeper.ts) stores them within seconds.
 *
 * @param account placeholder of the account's id.
 * @param now placeholder of the moment, castable to timestamptz.
 */
export function shiftedByTime(account: string, now: string): string {
  const due = dueNodesOf(account, now);
  return `${worthOf(
    `SELECT * FROM escrow_nodes WHERE id = ANY (ARRAY(SELECT node_id FROM node_earnings WHERE ${due}))`,
    now,
  )}, live AS MATERIALIZED (
        SELECT id AS node_id, task_id, path, CASE fate WHEN 'pending' THEN share ELSE 0 END AS pending,
          CASE fate WHEN 'claimable' THEN share ELSE 0 END AS claimable,
          CASE WHEN fate = 'pending' AND NOT lapsed AND state <> 'released' THEN clock END AS clock
        FROM worked
      ), shift AS MATERIALIZED (
        SELECT task_id, sum(pending) AS pending, sum(claimable) AS claimable FROM (
          SELECT task_id, pending, claimable FROM live
          UNION ALL SELECT task_id, -pending, -claimable FROM node_earnings WHERE ${due}
        ) AS change
        GROUP BY task_id
      )`;
}

/** The stored sum for the task of a row of `shift` and the account $1, read row by row: a join would read all tasks. */
export function keptOf(column: 'pending' | 'claimable'): string {
  return `coalesce((SELECT kept.${column} FROM task_earnings kept WHERE kept.account_id = $1
            AND kept.task_id = shift.task_id), 0)`;
}

/** The task of the node, whose escrow it is in. */
const TREE = byKey('SELECT escrow_address FROM tasks', 'node.task_id');
/** Columns of `NodeRow`. */
const ANSWER = `node.id, node.task_id, node.path, node.worker_wallet, task.escrow_address`;

/**
 * $1 account, $2 now. Finds the tree with the most to withdraw, and in it the node with the most. Reads stored sums
 * from the ends of indexes; only the few nodes whose time limits have passed since are computed.
 */
export const RICHEST: PreparedStatement = {
  name: 'worked-nodes-richest',
  text: `WITH RECURSIVE ${shiftedByTime('$1', '$2')}, tree AS MATERIALIZED (
        SELECT task_id FROM (
          (
            SELECT task_id, claimable FROM task_earnings
            WHERE account_id = $1 AND claimable > 0 AND task_id NOT IN (SELECT task_id FROM shift)
            ORDER BY claimable DESC, task_id DESC LIMIT 1
          )
          UNION ALL
          SELECT task_id, claimable + ${keptOf('claimable')} FROM shift
        ) AS candidate
        WHERE claimable > 0 ORDER BY claimable DESC, task_id DESC LIMIT 1
      ), richest AS MATERIALIZED (
        SELECT node_id FROM (
          (
            SELECT node_id, path, claimable FROM node_earnings
            WHERE account_id = $1 AND task_id = (SELECT task_id FROM tree) AND claimable > 0
              AND (next_at < $2::timestamptz) IS NOT TRUE
            ORDER BY claimable DESC, path LIMIT 1
          )
          UNION ALL
          SELECT node_id, path, claimable FROM live WHERE task_id = (SELECT task_id FROM tree) AND claimable > 0
        ) AS candidate
        ORDER BY claimable DESC, path LIMIT 1
      )
      SELECT ${ANSWER}, sums.pending + (SELECT coalesce(sum(pending), 0) FROM shift) AS pending,
        CASE WHEN node.id IS NULL THEN least((
            SELECT clock FROM node_earnings
            WHERE account_id = $1 AND clock >= $2::timestamptz AND (next_at < $2::timestamptz) IS NOT TRUE
            ORDER BY clock LIMIT 1
          ), (SELECT min(clock) FROM live)) END AS next_due
      FROM account_earnings sums
      LEFT JOIN LATERAL ${byKey('SELECT * FROM escrow_nodes', '(SELECT node_id FROM richest)')} node ON true
      LEFT JOIN LATERAL ${TREE} task ON true
      WHERE sums.account_id = $1`,
};

/**
 * $1 account, $2 now, $3 task, $4 node or null. Finds the node of one task with the most to withdraw, and what is
 * pending.
 */
export const RICHEST_OF_TASK: PreparedStatement = {
  name: 'worked-nodes-richest-of-task',
  text: `WITH RECURSIVE ${worthOf(
    `SELECT * FROM escrow_nodes WHERE task_id = $3 AND worker_account_id = $1 AND ($4::text IS NULL OR id = $4)`,
    '$2',
  )}, claims AS (
        SELECT id, task_id, path, worker_wallet, fate, lapsed, state, clock, share,
          CASE WHEN fate = 'claimable' THEN share ELSE 0 END AS claimable
        FROM worked
      ), richest AS (
        SELECT * FROM claims WHERE claimable > 0 ORDER BY claimable DESC, path LIMIT 1
      )
      SELECT ${ANSWER}, total.pending, CASE WHEN node.id IS NULL THEN total.next_due END AS next_due
      FROM (
        SELECT count(*) AS nodes, sum(share) FILTER (WHERE fate = 'pending') AS pending,
          min(clock) FILTER (WHERE fate = 'pending' AND NOT lapsed AND state <> 'released') AS next_due
        FROM claims
      ) AS total
      LEFT JOIN richest node ON true LEFT JOIN LATERAL ${TREE} task ON true
      WHERE nodes > 0`,
};

/**
 * $1 task, $2 node, $3 now. Finds the child nodes whose passed time limit has sent money back to the node, the largest sum
 * first, because an action finalizes only few.
 */
export const RETURNS: PreparedStatement = {
  name: 'worked-nodes-returns',
  text: `SELECT below.path FROM escrow_nodes below WHERE ${returnsBelow('$1', '$2', '$3')}
      ORDER BY ${RETURNED} DESC, below.path`,
};
