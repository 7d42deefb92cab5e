import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { OWN_NONCES, ROOT_PAYMENTS } from '../lifecycle/action-facts.sql.js';

/**
 * As `STANDING`, for many actions: $1 tasks, $2 nodes, $3 paths of the nodes that the nonces name, one of each for an action.
 * Subselects with one condition of a key each, so that each is a look-up whatever the planner expects of arrays and trees.
 */
export const LISTED_STANDINGS: PreparedStatement = {
  name: 'actions_standings',
  text: `SELECT (SELECT task.status FROM tasks task WHERE task.id = asked.task_id) AS task_status,
      (SELECT CASE WHEN node.task_id = asked.task_id THEN node.state END FROM escrow_nodes node WHERE node.id = asked.node_id)
        AS node_state,
      (SELECT named.version FROM escrow_nodes named WHERE named.task_id = asked.task_id AND named.path = asked.path)
        AS node_version
    FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (task_id, node_id, path, place)
    ORDER BY asked.place`,
};

/**
 * The facts that decide about many actions, in chain order within a tree: $1 tasks, $2 wallets, $3 whether the payments of
 * roots belong to them. Each tree is read once for each wallet. OFFSET 0 keeps the planner from joining the facts of all.
 */
export const LISTED_FACTS: PreparedStatement = {
  name: 'actions_facts',
  text: `SELECT asked.place::integer AS place, own.fact, own.block_number, own.transaction_hash
    FROM unnest($1::text[], $2::text[], $3::boolean[]) WITH ORDINALITY AS asked (task_id, wallet_address, has_payments, place)
    CROSS JOIN LATERAL (
      SELECT fact.fact, fact.block_number, fact.log_index, fact.transaction_hash FROM chain_facts fact
      WHERE fact.task_id = asked.task_id
        AND (${OWN_NONCES('asked.wallet_address')} OR (asked.has_payments AND ${ROOT_PAYMENTS}))
      OFFSET 0
    ) AS own
    ORDER BY asked.place, own.block_number, own.log_index`,
};
