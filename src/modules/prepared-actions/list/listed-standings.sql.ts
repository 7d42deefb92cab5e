import type { PreparedStatement } from '../../../platform/database/transactions.js';

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
