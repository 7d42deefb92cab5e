import { INDEXED_TIME } from '../../../platform/chain/indexed-time.sql.js';
import { deleteTasks } from '../../tasks/tasks.sql-views.js';

export const UNPAID_BATCH = 200;

const OVER = `id IN (
  SELECT id FROM tasks task
  WHERE chain_status IS NULL
    AND offers_until <= least($1::timestamptz, ${INDEXED_TIME})
    AND (opened_at IS NULL OR offers_until <= $2)
    AND coalesce(greatest(selection_until, funding_until) <= least($2::timestamptz, ${INDEXED_TIME}), true)
    AND NOT EXISTS (SELECT 1 FROM chain_facts fact WHERE fact.task_id = task.id)
    AND NOT EXISTS (SELECT 1 FROM escrow_trees tree WHERE tree.task_id = task.id)
    AND NOT EXISTS (
      SELECT 1 FROM quotes offer WHERE offer.task_id = task.id
        AND (offer.status = 'accepted' OR offer.valid_until > least($1::timestamptz, ${INDEXED_TIME})))
  ORDER BY offers_until LIMIT ${UNPAID_BATCH} FOR UPDATE OF task SKIP LOCKED)`;

/**
 * Deletes a batch of tasks that can no longer be paid. Their offers, their parties and what buyers were shown of them go
 * by their foreign keys. Placeholders: now, less the time that a draft stays; now, less the time that a signed task stays.
 */
export const DELETE_UNPAID = `
  WITH deleted AS (
    ${deleteTasks(OVER)}
    RETURNING 1
  )
  SELECT count(*)::integer AS changed FROM deleted`;
