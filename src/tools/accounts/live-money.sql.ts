import { INDEXED_TIME } from '../../platform/chain/indexed-time.sql.js';
import { allWorkedBy, worthOf } from '../../modules/earnings/worked-nodes/worked-nodes.sql.js';
import { isInNode } from '../../modules/escrow/escrow.sql-views.js';

/** One reason why an account cannot be erased yet. */
export interface LiveMoneyRow {
  reason: string;
}

/** Statuses in which others may still hire or be paid in a task. */
const OPEN_STATUSES = `'open', 'selected', 'funding_pending', 'funded', 'delivered', 'rejected', 'disputed'`;
const ENDED = `('released', 'refunded')`;

/**
 * Everything in which the account is a party to money that is not at its end: $1 account, $2 now. A node that only time
 * has settled, without a transaction, counts as open, and so does an offer that a block not read yet may have taken up.
 */
export const LIVE_MONEY = `WITH RECURSIVE ${worthOf(allWorkedBy('$1'), '$2')}
  SELECT format('Its task %s is %s.', id, status) AS reason FROM tasks
    WHERE buyer_account_id = $1 AND status IN (${OPEN_STATUSES})
  UNION ALL SELECT format('Its task %s has a refund that is not withdrawn.', id) FROM tasks
    WHERE buyer_account_id = $1 AND refundable > 0
  UNION ALL SELECT format('Its task %s has the node %s, which is %s.', task_id, id, state) FROM escrow_nodes
    WHERE state NOT IN ${ENDED} AND task_id IN (SELECT id FROM tasks WHERE buyer_account_id = $1)
  UNION ALL SELECT format('It hires or works in the node %s of the task %s, which is %s.', id, task_id, state)
    FROM escrow_nodes node WHERE state NOT IN ${ENDED} AND ${isInNode('node', '$1')}
  UNION ALL SELECT format('Its work in the node %s of the task %s has earnings that are not withdrawn.', id, task_id)
    FROM worked WHERE fate <> 'lost' AND share > 0
  UNION ALL SELECT format('It has paid for a node of the task %s, whose refund may not be withdrawn.', node.task_id)
    FROM escrow_nodes node JOIN escrow_trees tree ON tree.task_id = node.task_id JOIN tasks task ON task.id = node.task_id
    WHERE ${isInNode('node', '$1')} AND node.hirer_account_id = $1 AND node.hirer_funded AND node.parent_node_id IS NOT NULL
      AND tree.refundable > task.refundable
  UNION ALL SELECT format('Its offer %s for the task %s can be taken up until %s.', id, task_id, valid_until)
    FROM quotes WHERE worker_account_id = $1 AND status = 'submitted' AND valid_until > least($2::timestamptz, ${INDEXED_TIME})`;
