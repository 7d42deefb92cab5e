import { partiesPage } from '../../platform/pagination/parties-page.sql.js';

const RECEIPTS = { name: 'receipts', columns: 'node_id, outcome, amount, transaction_hash, block_number' };

/** One page of the receipts an account may see; placeholders as `partiesPage` has them. */
export function receiptListStatement(rows: number, byTask: boolean): { name: string; text: string } {
  return partiesPage(RECEIPTS, rows, byTask);
}
