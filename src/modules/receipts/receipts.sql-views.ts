/** A column of the receipt of a node; null while the node has none. The id is that of receipt-id.ts. */
export function ofReceipt(column: 'transaction_hash' | 'block_number', nodeId: string): string {
  return `(SELECT ${column} FROM receipts WHERE id = 'rcpt_' || substr(${nodeId}, 6))`;
}
