/**
 * The status of the task $1, the state of its node $2 and the version of the node at the path $3; null when it has no such
 * node.
 */
export const STANDING = `SELECT task.status AS task_status, node.state AS node_state,
    (SELECT version FROM escrow_nodes named WHERE named.task_id = task.id AND named.path = $3) AS node_version
  FROM tasks task LEFT JOIN escrow_nodes node ON node.id = $2 AND node.task_id = task.id WHERE task.id = $1`;
