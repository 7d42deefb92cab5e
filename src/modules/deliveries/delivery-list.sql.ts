import { partiesPage } from '../../platform/pagination/parties-page.sql.js';

const DELIVERIES = { name: 'deliveries', columns: 'node_id, artifact_hash, status, revision' };

/** One page of the deliveries an account may see; placeholders as `partiesPage` has them. */
export function deliveryListStatement(rows: number, byTask: boolean): { name: string; text: string } {
  return partiesPage(DELIVERIES, rows, byTask);
}
