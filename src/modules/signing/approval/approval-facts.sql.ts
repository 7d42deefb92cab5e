import { byKey } from '../../../platform/database/reads/by-key.sql.js';
import { type PreparedStatement } from '../../../platform/database/transactions.js';
import { returnedTo } from '../../escrow/node/node-ancestors.sql.js';
import { stateAt } from '../../escrow/node/node-clocks.sql.js';

/** The task, node and offer of an action, as the approval page needs them. Times are Dates, amounts text in base units. */
export interface ApprovalFactsRow {
  title: string | null;
  buyer_wallet: string | null;
  arbiter_wallet: string | null;
  deliver_by: Date | null;
  accept_window_seconds: number | null;
  floor: string | null;
  revisions_left: number | null;
  pay_out: boolean | null;
  node_state: string | null;
  agent_name: string | null;
  hirer_name: string | null;
  node_amount: string | null;
  unallocated: string | null;
  subcontracts: number | null;
  hangs_on_parent: boolean | null;
}

/**
 * Reads the task, node and offer that an action is about. Where the action makes or takes up an offer, the offer's terms
 * count, whose deadline is not known before the payment, and the node of a subcontract is the one that hires; else the
 * node's terms count, and before there is a node those of the task.
 * `hangs_on_parent` is true while a node above that this node is paid from is not released, by silence or by a decision.
 * Nodes above and below count in the state that time has decided. The nodes below are found by the index on their task,
 * because no other index has all of them; those that count are paid from the wallet of the node's worker. Money that time
 * has sent back from the others is promised to nobody. $1 the action's id, $2 now.
 */
export const APPROVAL_FACTS: PreparedStatement = {
  name: 'approval-facts',
  text: `
  SELECT task.title, task.buyer_wallet, task.arbiter_wallet,
         CASE WHEN quote.id IS NULL THEN node.delivery_deadline END AS deliver_by,
         COALESCE(quote.accept_window_seconds, node.accept_window_seconds, task.accept_window_seconds)
           AS accept_window_seconds,
         COALESCE(quote.floor, node.floor)::text AS floor,
         COALESCE(quote.max_revisions, node.max_revisions - node.revisions) AS revisions_left, node.pay_out,
         node.state AS node_state,
         agent.name AS agent_name, hirer.name AS hirer_name,
         node.pool::text AS node_amount, (node.pool - node.allocated + ${returnedTo('node', '$2')})::text AS unallocated,
         (SELECT count(*)::integer FROM escrow_nodes child
          WHERE child.task_id = node.task_id AND child.parent_node_id = node.id AND child.hirer_funded
            AND ${stateAt('$2')} NOT IN ('released', 'refunded'))
           AS subcontracts,
         CASE WHEN node.id IS NOT NULL THEN EXISTS (
           WITH RECURSIVE backers AS (
             SELECT up.parent_node_id, up.hirer_funded, up.state, up.clock, up.floor FROM escrow_nodes up
              WHERE up.id = node.parent_node_id AND NOT node.hirer_funded
             UNION ALL
             SELECT up.parent_node_id, up.hirer_funded, up.state, up.clock, up.floor
               FROM backers below CROSS JOIN LATERAL ${byKey('SELECT * FROM escrow_nodes', 'below.parent_node_id')} up
              WHERE NOT below.hirer_funded
           ) SELECT 1 FROM backers WHERE ${stateAt('$2')} <> 'released') END AS hangs_on_parent
  FROM prepared_actions action
  LEFT JOIN LATERAL ${byKey('SELECT * FROM tasks', 'action.task_id')} task ON true
  LEFT JOIN LATERAL ${byKey('SELECT * FROM escrow_nodes', 'action.node_id')} node ON true
  LEFT JOIN LATERAL ${byKey(
    'SELECT * FROM quotes',
    `COALESCE(action.details->>'quote_id', (
      SELECT own.id FROM quotes own WHERE own.task_id = action.task_id AND own.action_id = action.id LIMIT 1
    ))`,
  )} quote ON true
  LEFT JOIN LATERAL ${byKey('SELECT * FROM agents', 'COALESCE(quote.agent_id, node.worker_agent_id)')} agent ON true
  LEFT JOIN LATERAL ${byKey('SELECT * FROM agents', 'node.hirer_agent_id')} hirer ON true
  WHERE action.id = $1`,
};

/** The receipt with the id $1, if its node is settled. */
export const KNOWN_RECEIPT: PreparedStatement = {
  name: 'approval-receipt',
  text: 'SELECT id FROM receipts WHERE id = $1',
};
