/**
 * What is above the nodes of a page, as two common table expressions for a `WITH RECURSIVE` that begins with `page`
 * (rows of escrow_nodes). Each node's ancestors are followed upwards by primary key, at most eight levels; they back it
 * as far as money comes from the node above. `fates` has, for every node that is not a root, `of_id`, how many nodes are
 * `above` it, and what became of its backers: `closed` when money of one went back, `backed` when all are released (null
 * without any). Past its clock a row is what time has made of it (libs/contracts/src/node-clock.ts, `effectiveState`).
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

/** `NodeFacts.backers` and `ActionFacts.level` of a row of `page`, left joined to `fates`. */
export const FATE_COLUMNS = `
        CASE WHEN fates.closed THEN 'closed' WHEN fates.backed IS NOT FALSE THEN 'released' ELSE 'open' END AS backers,
        coalesce(fates.above, 0) + 1 AS level`;
