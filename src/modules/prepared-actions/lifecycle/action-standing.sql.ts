import type { PreparedStatement } from '../../../platform/database/transactions.js';

/**
 * The status of the task $1, the state of its node $2 and the version of the node at the path $3; null when it has no such
 * node. Subselects with the conditions of one key each: by the task, the planner could take a node out of all of a tree.
 */
export const STANDING: PreparedStatement = {
  name: 'action-standing',
  text: `SELECT task.status AS task_status,
    (SELECT CASE WHEN node.task_id = $1 THEN node.state END FROM escrow_nodes node WHERE node.id = $2) AS node_state,
    (SELECT version FROM escrow_nodes named WHERE named.task_id = $1 AND named.path = $3) AS node_version
  FROM tasks task WHERE task.id = $1`,
};
