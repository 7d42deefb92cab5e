import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { visibleTask } from '../../tasks/visibility/task-visibility.sql.js';
import { FATE_COLUMNS, fateJoins, fatesOfPage } from './node-ancestors.sql.js';

const SEEN = '$2 = ANY (node.visible_account_ids)';
/** $4 node. */
export const STANDING_NODE = standing('node-standing', `node.id = $4 AND node.task_id = $1 AND ${SEEN}`);
/**
 * A root that has not ended comes before one that has, because a buyer may have hired again. Of two that were paid in one
 * block the one with the greater index comes first.
 */
export const DECIDING_ROOT = standing(
  'node-standing-root',
  `node.task_id = $1 AND node.parent_node_id IS NULL AND ${SEEN}
        ORDER BY node.state IN ('released', 'refunded'), node.funded_at DESC, length(node.path) DESC, node.path DESC LIMIT 1`,
);
export const WORKED_ON = standing('node-standing-worked-on', `node.task_id = $1 AND node.worker_account_id = $2`);

/**
 * $1 task, $2 account, $3 now. Gives no row when there is no such task, and a row without a node when there is no such
 * node.
 */
function standing(name: string, condition: string): PreparedStatement {
  return {
    name,
    text: `WITH RECURSIVE page AS (
        SELECT node.* FROM escrow_nodes node WHERE ${condition}
      ), ${fatesOfPage('$3')}
      SELECT task.buyer_account_id, task.escrow_address, task.arbiter_wallet,
        page.id, page.path, page.version, page.parent_node_id, page.hirer_account_id, page.hirer_wallet, page.worker_account_id,
        page.worker_wallet, page.pool, page.allocated, page.floor, page.withdrawn, page.pay_out, page.revisions,
        page.max_revisions, page.state, page.hirer_funded, page.delivery_deadline, page.clock, page.artifact_hash,${FATE_COLUMNS}
      FROM tasks task LEFT JOIN page ON true ${fateJoins('$3')}
      WHERE task.id = $1 AND ${visibleTask('task', '$2')}`,
  };
}
