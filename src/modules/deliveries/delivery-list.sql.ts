import { partiesPage } from '../../platform/pagination/parties-page.sql.js';
import { shownStatusSql } from './delivery.lifecycle.js';

const DELIVERIES = {
  name: 'deliveries',
  columns: 'node_id, artifact_hash, status, revision, reason_hash, worker_account_id',
};

/**
 * One page of the deliveries an account may see; placeholders as `partiesPage` has them. What other tables know of a
 * delivery (its artifact is in custody, its rejection has a text) is looked up for the rows of the page alone.
 */
export function deliveryListStatement(rows: number, byTask: boolean): { name: string; text: string } {
  const { name, text } = partiesPage(DELIVERIES, rows, byTask);
  return {
    name,
    text: `SELECT page.id, page.task_id, page.node_id, page.artifact_hash, page.revision, page.created_at,
        ${shownStatusSql('page')} AS status, said.reason AS rejection_reason
      FROM (${text}) page
      LEFT JOIN rejection_reasons said ON said.node_id = page.node_id AND said.reason_hash = page.reason_hash
      ORDER BY page.created_at DESC, page.id DESC`,
  };
}
