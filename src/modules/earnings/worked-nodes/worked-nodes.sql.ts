import { FATE_COLUMNS, fateJoins, fatesOfPage } from '../../escrow/node/node-ancestors.sql.js';

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
          CASE WHEN state = 'disputed' AND lapsed THEN greatest(div(pool, 2), allocated) ELSE pool END - allocated
            + returned AS share,
          CASE
            WHEN backers = 'closed' OR state = 'refunded' OR (state = 'rejected' AND lapsed) THEN 'lost'
            WHEN backers = 'released' AND (state = 'released' OR (state IN ('delivered', 'disputed') AND lapsed))
              THEN 'claimable'
            ELSE 'pending'
          END AS fate
        FROM standing
      )`;
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
  // With one bound a generic plan expects a third of all nodes; with two bounds and an array it expects few.
  const due = `account_id = ${account} AND next_at >= '-infinity' AND next_at < ${now}::timestamptz`;
  return `${worthOf(
    `SELECT * FROM escrow_nodes WHERE id = ANY (ARRAY(SELECT node_id FROM node_earnings WHERE ${due}))`,
    now,
  )}, live AS MATERIALIZED (
        SELECT id AS node_id, task_id, number, CASE fate WHEN 'pending' THEN share ELSE 0 END AS pending,
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
