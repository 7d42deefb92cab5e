/** $1 task, $2 node. The status of the task and the state of its node; null when it has no such node. */
export const STANDING = `SELECT task.status AS task_status, node.state AS node_state
  FROM tasks task LEFT JOIN escrow_nodes node ON node.id = $2 AND node.task_id = task.id WHERE task.id = $1`;
