import { INDEXED_TIME, isShown } from '../../../platform/chain/indexed-time.sql.js';
import { deleteQuotes } from '../../quotes/quotes.sql-views.js';
import { forgetBidders } from '../../tasks/tasks.sql-views.js';

export const OVER_QUOTES_BATCH = 500;

const OVER = `id IN (
  SELECT id FROM quotes offer
  WHERE status <> 'accepted'
    AND valid_until <= least($1::timestamptz, ${INDEXED_TIME})
    AND (signature IS NULL OR valid_until <= $2)
    AND ${isShown('offer.task_id')}
    AND NOT EXISTS (SELECT 1 FROM escrow_nodes n WHERE n.task_id = offer.task_id AND n.path = offer.node_path)
    AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.id = offer.task_id AND t.selected_quote_id = offer.id)
  ORDER BY valid_until LIMIT ${OVER_QUOTES_BATCH} FOR UPDATE OF offer SKIP LOCKED)`;
const HAS_NO_OTHER = `NOT EXISTS (
  SELECT 1 FROM quotes other WHERE other.task_id = deleted.task_id
    AND other.worker_account_id = deleted.worker_account_id AND other.id NOT IN (SELECT id FROM deleted))`;

/**
 * Deletes a batch of offers that nobody can take any more. An account with no other offer for the task is then no longer
 * a party to it as a bidder. Placeholders: now, less the time that an unsigned offer stays; now, less the time that a
 * signed one stays.
 */
export const DELETE_OVER_QUOTES = `
  WITH deleted AS (
    ${deleteQuotes(OVER)}
    RETURNING id, task_id, worker_account_id
  ), left_out AS (
    ${forgetBidders('deleted', HAS_NO_OTHER)}
  )
  SELECT count(*)::integer AS changed FROM deleted`;
