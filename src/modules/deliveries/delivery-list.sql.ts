import { partiesPage, RECORD_POSITION } from '../../platform/pagination/parties-page.sql.js';
import { renderedPage } from '../../platform/pagination/rendered-page.sql.js';
import { isInCustody } from '../artifacts/artifacts.sql-views.js';

const DELIVERIES = {
  name: 'deliveries',
  columns: 'node_id, artifact_hash, status, reason_hash, worker_account_id,',
};

/** While its artifact is in custody, `deliveryAfter(status, 'stored')` is what is shown of the delivery `page`. */
const IS_KEPT = isInCustody('page.worker_account_id', 'page.artifact_hash');

/** Replacing text is safe: a stored delivery holds no text that a person wrote, so only its status can match. */
const SHOWN = `CASE WHEN page.status = 'submitted' AND ${IS_KEPT}
          THEN replace(page.document, '"status":"submitted"', '"status":"available"') ELSE page.document END`;
const WITH_REASON = `CASE WHEN said.reason IS NULL THEN ${SHOWN}
          ELSE concat(left(${SHOWN}, -1), ',"rejection_reason":', to_json(said.reason), '}') END`;

/**
 * One page of the deliveries an account may see; placeholders as `partiesPage` has them. Other tables (custody of the
 * artifact, the reason of the rejection) are read for the rows of the page alone.
 */
export function deliveryListStatement(limit: number, byTask: boolean): { name: string; text: string } {
  const { name, text } = partiesPage(DELIVERIES, limit, byTask);
  const rows = `SELECT page.id, page.created_at, ${WITH_REASON} AS document
      FROM (${text}) page
      LEFT JOIN rejection_reasons said ON said.node_id = page.node_id AND said.reason_hash = page.reason_hash`;
  return { name, text: renderedPage(rows, limit, 'created_at DESC, id DESC', RECORD_POSITION) };
}
