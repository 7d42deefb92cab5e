import { utcText } from '../../platform/time/utc-text.sql.js';
import { visibleTask } from '../tasks/visibility/task-visibility.sql.js';

/** One receipt with what it is about: $1 its id, $2 the account that asks; no row for everybody but its parties. */
export const RECEIPT_DETAILS = {
  name: 'receipt-details',
  text: `SELECT receipt.id, receipt.task_id, receipt.node_id, receipt.outcome, receipt.amount, receipt.transaction_hash,
      receipt.block_number, ${utcText('receipt.created_at')} AS created_at,
      receipt.payer_account_id = $2 AS is_payer, receipt.worker_account_id = $2 AS is_worker,
      CASE WHEN ${visibleTask('task', '$2')} THEN task.title END AS title,
      task.escrow_address, task.buyer_wallet, task.arbiter_wallet,
      node.path, node.outcome AS reason, node.amount AS funded, node.hirer_wallet, node.worker_wallet,
      node.artifact_hash, hirer.name AS hirer_agent, worker.name AS worker_agent
    FROM receipts receipt
    JOIN tasks task ON task.id = receipt.task_id
    JOIN escrow_nodes node ON node.id = receipt.node_id
    LEFT JOIN agents hirer ON hirer.id = node.hirer_agent_id
    LEFT JOIN agents worker ON worker.id = node.worker_agent_id
    WHERE receipt.id = $1
      AND $2 IN (receipt.payer_account_id, receipt.buyer_account_id, receipt.worker_account_id)`,
};

/** As Postgres sends it: every value is text. */
export interface ReceiptDetailsRow {
  id: string;
  task_id: string;
  node_id: string;
  outcome: string;
  amount: string;
  transaction_hash: string;
  block_number: string;
  created_at: string;
  is_payer: 't' | 'f' | null;
  is_worker: 't' | 'f' | null;
  title: string | null;
  escrow_address: string;
  buyer_wallet: string;
  arbiter_wallet: string;
  path: string;
  reason: string | null;
  funded: string;
  hirer_wallet: string;
  worker_wallet: string;
  artifact_hash: string | null;
  hirer_agent: string | null;
  worker_agent: string | null;
}
