import { FATE_COLUMNS, fateJoins, fatesOfPage } from '../escrow/node-fates.sql.js';

/**
 * What the nodes that an account works on are worth to it, as common table expressions for a statement that begins with
 * `WITH RECURSIVE`. `worked` has one row per node: its columns, `share` (base units of the worker itself) and `fate`:
 *
 * - `claimable`: the contract would pay the share out now (libs/contracts/src/node-clock.ts, `withdrawableOf`), once what
 *   time has sent back from the nodes below is written down, which is part of the share;
 * - `pending`: the end of the node, or of one above whose money it is made of, is still open;
 * - `lost`: the money went back, or is as good as gone back.
 *
 * A worker is a party of its task, which is how its nodes are found by two primary keys.
 *
 * @param account placeholder of the account's id.
 * @param now placeholder of the moment, castable to timestamptz.
 */
export function workedNodes(account: string, now: string): string {
  return `page AS (
        SELECT node.*, node.clock < ${now}::timestamptz AS lapsed
        FROM task_parties party
        JOIN escrow_nodes node ON node.task_id = party.task_id AND node.worker_account_id = party.account_id
        WHERE party.account_id = ${account} AND party.role = 'worker'
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
