import { partiesPage, RECORD_POSITION } from '../../platform/pagination/parties-page.sql.js';
import { renderedPage } from '../../platform/pagination/rendered-page.sql.js';

/** One page of the receipts an account may see; placeholders as `partiesPage` has them. */
export function receiptListStatement(limit: number, byTask: boolean): { name: string; text: string } {
  const { name, text } = partiesPage({ name: 'receipts', columns: '' }, limit, byTask);
  return { name, text: renderedPage(text, limit, 'created_at DESC, id DESC', RECORD_POSITION) };
}
