/** Base units that the lapsed node `below` gives back: all of a final rejection, of a lapsed ruling what nobody keeps. */
const RETURNED = `CASE below.state WHEN 'rejected' THEN below.pool
          ELSE below.pool - greatest(div(below.pool, 2), below.allocated) END`;

/**
 * What is above the nodes of a page, as two common table expressions for a `WITH RECURSIVE` that begins with `page`
 * (rows of escrow_nodes); `fateJoins` joins them. Each node's ancestors are followed upwards by primary key, at most eight
 * levels; they back it as far as money comes from the node above. `fates` has, for every node that is not a root,
 * `of_id`, how many nodes are `above` it, and what became of its backers: `closed` when money of one went back, `backed`
 * when all are released (null without any). Past its clock a row is what time has made of it
 * (libs/contracts/src/tree/node-clock.ts, `effectiveState`).
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

/**
 * Joins to `page` what `FATE_COLUMNS` needs: its fate, and what has come back to it from below. That is looked up row by
 * row, by the index of contested nodes alone.
 *
 * @param now placeholder of the moment, castable to timestamptz.
 */
export function fateJoins(now: string): string {
  return `LEFT JOIN fates ON fates.of_id = page.id
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(${RETURNED}), 0) AS returned FROM escrow_nodes below
        WHERE page.allocated > 0 AND ${returnsBelow('page.task_id', 'page.id', now)}
      ) AS returns`;
}

/** `NodeFacts.backers`, `NodeFacts.returned` and `ActionFacts.level` of a row of `page`, joined by `fateJoins`. */
export const FATE_COLUMNS = `
        returns.returned,
        CASE WHEN fates.closed THEN 'closed' WHEN fates.backed IS NOT FALSE THEN 'released' ELSE 'open' END AS backers,
        coalesce(fates.above, 0) + 1 AS level`;
