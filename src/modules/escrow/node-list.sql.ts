/** A text column's UTC form on the wire. */
const UTC_TEXT = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/**
 * One page of the nodes of a task that an account may see (design/interface.md §6), oldest first: $1 task, $2 account,
 * $3 number to start above, $4 now. `closed` and `backed` say what became of the money behind a node: they follow a
 * page's nodes upwards as far as money comes from the node above, at most eight levels by primary key. Past its clock a
 * row is what time has made of it (libs/contracts/src/node-clock.ts, `effectiveState`).
 */
export function nodeListStatement(rows: number): { name: string; text: string } {
  return {
    name: `nodes_${rows}`,
    text: `WITH RECURSIVE page AS (
        SELECT * FROM escrow_nodes
        WHERE task_id = $1 AND $2 = ANY (visible_account_ids) AND number > $3::integer
        ORDER BY number LIMIT ${rows}
      ), backers AS (
        SELECT page.id AS of_id, up.parent_node_id, up.hirer_funded, up.state, up.clock
        FROM page JOIN escrow_nodes up ON up.id = page.parent_node_id WHERE NOT page.hirer_funded
        UNION ALL
        SELECT below.of_id, up.parent_node_id, up.hirer_funded, up.state, up.clock
        FROM backers below JOIN escrow_nodes up ON up.id = below.parent_node_id WHERE NOT below.hirer_funded
      ), fates AS (
        SELECT of_id,
          bool_or(state = 'refunded' OR (state = 'rejected' AND clock < $4::timestamptz)) AS closed,
          bool_and(state = 'released' OR (state IN ('delivered', 'disputed') AND clock < $4::timestamptz)) AS backed
        FROM backers GROUP BY of_id
      )
      SELECT page.id, page.task_id, page.number, page.parent_node_id, page.hirer_agent_id, page.worker_agent_id,
        page.worker_account_id, page.amount, page.pool, page.allocated, page.state, page.outcome,
        page.hirer_funded::text AS hirer_funded, page.accept_window_seconds, page.artifact_hash,
        to_char(page.delivery_deadline AT TIME ZONE 'UTC', ${UTC_TEXT}) AS delivery_deadline,
        to_char(page.clock AT TIME ZONE 'UTC', ${UTC_TEXT}) AS clock,
        CASE WHEN fates.closed THEN 'closed' WHEN fates.backed IS NOT FALSE THEN 'released' ELSE 'open' END AS backers
      FROM page LEFT JOIN fates ON fates.of_id = page.id
      ORDER BY page.number`,
  };
}
