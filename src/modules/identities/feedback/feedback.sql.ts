import { utcText } from '../../../platform/time/utc-text.sql.js';
import { ofReceipt } from '../../receipts/receipts.sql-views.js';
import { settledWorkOf } from '../../reputation/reputation.sql-views.js';
import { escrowAddressOf } from '../../tasks/tasks.sql-views.js';

/** Above every settlement. */
export const AFTER_ALL_WORK: readonly string[] = ['infinity', ''];

/** One page of the ended nodes of the agent $1 below the time $2 and the node $3, and one more. */
export function feedbackStatement(limit: number): { name: string; text: string } {
  return {
    name: `agent_feedback_${limit}`,
    text: `SELECT work.node_id, work.payer_wallet, work.worker_wallet, work.amount, work.released, work.outcome,
        round(work.independence::numeric, 4) AS independence, ${utcText('work.settled_at')} AS settled_at,
        ${escrowAddressOf('work.task_id')} AS escrow_address,
        ${ofReceipt('transaction_hash', 'work.node_id')} AS transaction_hash,
        ${ofReceipt('block_number', 'work.node_id')} AS block_number
      FROM (${settledWorkOf('$1', ['$2', '$3'], limit + 1)}) AS work
      ORDER BY work.settled_at DESC, work.node_id DESC`,
  };
}

/** As Postgres sends it: every value is text. The last two are null until no node above can undo the end. */
export interface FeedbackRow {
  node_id: string;
  payer_wallet: string;
  worker_wallet: string;
  amount: string;
  released: string;
  outcome: string;
  independence: string | null;
  settled_at: string;
  escrow_address: string | null;
  transaction_hash: string | null;
  block_number: string | null;
}
