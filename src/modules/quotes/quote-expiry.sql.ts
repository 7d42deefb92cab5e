import { INDEXED_TIME, isShown } from '../../platform/chain/indexed-time.sql.js';
import type { PreparedStatement } from '../../platform/database/transactions.js';
import { TOLD_COLUMNS } from './quote-projection.sql.js';

/**
 * Marks a batch of offers that have expired, once each, and reads them. An offer may be taken up in a block that is not
 * read yet, so the index must be past its time too. Placeholders: now, how many rows.
 */
export const TELL_EXPIRED: PreparedStatement = {
  name: 'quotes-tell-expired',
  text: `UPDATE quotes SET expiry_told = true WHERE id IN (
      SELECT id FROM quotes offer WHERE offer.status = 'submitted' AND NOT offer.expiry_told
        AND offer.valid_until < least($1::timestamptz, ${INDEXED_TIME}) AND ${isShown('offer.task_id')}
      ORDER BY offer.valid_until LIMIT $2 FOR UPDATE OF offer SKIP LOCKED)
    RETURNING ${TOLD_COLUMNS}`,
};
