import { byKey } from '../../../platform/database/reads/by-key.sql.js';
import { stateAt } from './node-clocks.sql.js';

/** What counts of a node above. */
const UP = 'SELECT parent_node_id, hirer_funded, state, clock, floor FROM escrow_nodes';

/**
 * Base units that the node `below` gives back once its time limit has passed: after a rejection all of its money, after a
 * dispute what is above its floor.
 */
export const RETURNED = `below.pool - CASE below.state WHEN 'disputed' THEN below.floor ELSE 0 END`;

/**
 * The backers of the nodes of a page, as two common table expressions for a `WITH RECURSIVE` that begins with `page`
 * (rows of escrow_nodes); `fateJoins` joins them. A node is backed by the nodes above it as far up as every node is paid from
 * the one above; they are followed upwards by primary key, at most seven levels. `fates` has a row for every node of the page
 * that has backers: `of_id`, its id; `closed`, true when the money of one went back; `backed`, true when all are released.
 * A backer past its clock counts in the state that time has decided (libs/contracts/src/tree/node-clock.ts, `effectiveState`).
 *
 * @param now placeholder of the moment, castable to timestamptz.
 */
export function fatesOfPage(now: string): string {
  return `backers AS (
        SELECT page.id AS of_id, up.parent_node_id, up.hirer_funded, up.state, up.clock, up.floor
        FROM page CROSS JOIN LATERAL ${byKey(UP, 'page.parent_node_id')} up WHERE NOT page.hirer_funded
        UNION ALL
        SELECT below.of_id, up.parent_node_id, up.hirer_funded, up.state, up.clock, up.floor
        FROM backers below CROSS JOIN LATERAL ${byKey(UP, 'below.parent_node_id')} up WHERE NOT below.hirer_funded
      ), fates AS (
        SELECT of_id, bool_or(reached = 'refunded') AS closed, bool_and(reached = 'released') AS backed
        FROM (SELECT of_id, ${stateAt(now)} AS reached FROM backers) AS counted
        GROUP BY of_id
      )`;
}

/**
 * Condition for rows `below` of escrow_nodes: the node is paid from the node above, a passed time limit sends some of its
 * money back there, and nobody has finalized it. Until somebody does, the node above counts that money as allocated.
 *
 * @param task placeholder or column of the task's id.
 * @param above placeholder or column of the id of the node above.
 * @param now placeholder of the moment, castable to timestamptz.
 */
export function returnsBelow(task: string, above: string, now: string): string {
  return `below.task_id = ${task} AND below.parent_node_id = ${above} AND NOT below.hirer_funded
          AND below.clock < ${now}::timestamptz AND below.state IN ('rejected', 'disputed') AND ${RETURNED} > 0`;
}

/**
 * SQL of the base units that passed time limits have sent back to a node of escrow_nodes from below. Looks nothing up for a
 * node that has nothing allocated.
 *
 * @param node alias of the node.
 * @param now placeholder of the moment, castable to timestamptz.
 */
export function returnedTo(node: string, now: string): string {
  return `(SELECT coalesce(sum(${RETURNED}), 0) FROM escrow_nodes below
          WHERE ${node}.allocated > 0 AND ${returnsBelow(`${node}.task_id`, `${node}.id`, now)})`;
}

/**
 * Joins to `page` what `FATE_COLUMNS` needs: the node's row of `fates`, and the money that came back to it from below,
 * which is looked up row by row by the index of contested nodes alone.
 *
 * @param now placeholder of the moment, castable to timestamptz.
 */
export function fateJoins(now: string): string {
  return `LEFT JOIN fates ON fates.of_id = page.id
      CROSS JOIN LATERAL (SELECT ${returnedTo('page', now)} AS returned) AS returns`;
}

/** `NodeFacts.returned`, `NodeFacts.backers` and `ActionFacts.level` of a row of `page`, joined by `fateJoins`. */
export const FATE = {
  returned: 'returns.returned',
  backers: `CASE WHEN fates.closed THEN 'closed' WHEN fates.backed IS NOT FALSE THEN 'released' ELSE 'open' END`,
  level: `length(page.path) - length(replace(page.path, '-', '')) + 1`,
} as const;

/** The same as columns. */
export const FATE_COLUMNS = `
        ${FATE.returned}, ${FATE.backers} AS backers, ${FATE.level} AS level`;
