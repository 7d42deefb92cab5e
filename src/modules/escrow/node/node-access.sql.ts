import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { visibleTask } from '../../tasks/visibility/task-visibility.sql.js';

/** $1 task, $2 node, $3 account. Gives no row when there is no such task, and a row without a node when there is no such node. */
export const NODE_OF_TASK: PreparedStatement = {
  name: 'node-access',
  text: `
  SELECT task.escrow_address, node.path, node.version, node.worker_account_id, node.worker_wallet, node.state, node.allocated
  FROM tasks task
  LEFT JOIN escrow_nodes node ON node.id = $2 AND node.task_id = task.id AND $3 = ANY (node.visible_account_ids)
  WHERE task.id = $1 AND ${visibleTask('task', '$3')}`,
};
