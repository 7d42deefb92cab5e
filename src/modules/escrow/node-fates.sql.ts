/** Base units that the lapsed node `below` gives back: all of a final rejection, of a lapsed ruling what nobody keeps. */
const RETURNED = `CASE below.state WHEN 'rejected' THEN below.pool
          ELSE below.pool - greatest(div(below.pool, 2), below.allocated) END`;

/**
 * What is around the nodes of a page, as common table expressions for a `WITH RECURSIVE` that begins with `page` (rows of
 * escrow_nodes), to be joined by `FATE_JOINS`. Each node's ancestors are followed upwards by primary key, at most eight
 * levels; they back it as far as money comes from the node above. `fates` has, for every node that is not a root,
 * `of_id`, how many nodes are `above` it, and what became of its backers: `closed` when money of one went back, `backed`
 * when all are released (null without any). Past its clock a row is what time has made of it
 * (libs/contracts/src/node-clock.ts, `effectiveState`). `returns` has, for nodes `to_id`, what has come back to them from
 * those below that live on their money (`returnsBelow`).
 *
 * @param now placeholder of the moment, castable to timestamptz.
 */
export function fatesOfPage(now: string): string {
  return `ancestors AS (
        SELECT page.id AS of_id, NOT page.hirer_funded AS backs,
          up.parent_node_id, up.hirer_funded, up.state, up.clock
        FROM page JOIN escrow_nodes up ON up.id = page.parent_node_id
        UNION ALL
        SELECT below.of_id, below.backs AND NOT below.hirer_funded,
          up.parent_node_id, up.hirer_funded, up.state, up.clock
        FROM ancestors below JOIN escrow_nodes up ON up.id = below.parent_node_id
      ), fates AS (
        SELECT of_id, count(*) AS above,
          bool_or(backs AND (state = 'refunded' OR (state = 'rejected' AND clock < ${now}::timestamptz))) AS closed,
          bool_and(state = 'released' OR (state IN ('delivered', 'disputed') AND clock < ${now}::timestamptz))
            FILTER (WHERE backs) AS backed
        FROM ancestors GROUP BY of_id
      ), returns AS (
        SELECT page.id AS to_id, sum(${RETURNED}) AS returned
        FROM page JOIN escrow_nodes below ON ${returnsBelow('page.task_id', 'page.id', now)}
        WHERE page.allocated > 0
        GROUP BY page.id
      )`;
}

/**
 * Condition for rows `below` of escrow_nodes: it lives on the money of the node above, time has decided that some of it
 * goes back there, and nobody has written that down. Until somebody does, the node above holds it as allocated.
 *
 * @param task placeholder or column of the task's id.
 * @param above placeholder or column of the id of the node above.
 * @param now placeholder of the moment, castable to timestamptz.
 */
export function returnsBelow(task: string, above: string, now: string): string {
  return `below.task_id = ${task} AND below.parent_node_id = ${above} AND NOT below.hirer_funded
          AND below.clock < ${now}::timestamptz AND below.state IN ('rejected', 'disputed') AND ${RETURNED} > 0`;
}

/** Left joins of `page` that `FATE_COLUMNS` needs. */
export const FATE_JOINS = `LEFT JOIN fates ON fates.of_id = page.id LEFT JOIN returns ON returns.to_id = page.id`;

/** `NodeFacts.backers`, `NodeFacts.returned` and `ActionFacts.level` of a row of `page`, joined by `FATE_JOINS`. */
export const FATE_COLUMNS = `
        coalesce(returns.returned, 0) AS returned,
        CASE WHEN fates.closed THEN 'closed' WHEN fates.backed IS NOT FALSE THEN 'released' ELSE 'open' END AS backers,
        coalesce(fates.above, 0) + 1 AS level`;
