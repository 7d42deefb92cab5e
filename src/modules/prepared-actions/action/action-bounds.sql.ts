import type { EntityManager } from 'typeorm';
import { INDEXED_TIME, isShown } from '../../../platform/chain/indexed-time.sql.js';
import { type PreparedStatement, runPrepared } from '../../../platform/database/transactions.js';
import { deleteUnsaidReasons } from '../../deliveries/deliveries.sql-views.js';

const BATCH = 500;

const OPEN: PreparedStatement = {
  name: 'prepared-actions-open',
  text: `SELECT count(*)::integer AS open
    FROM (SELECT 1 FROM prepared_actions WHERE account_id = $1 AND kind = $2 AND NOT is_kept LIMIT $3) AS counted`,
};

/** How many actions of one kind of an account are not known to be executed; counted up to `most`. */
export async function openActionsOf(
  manager: EntityManager,
  { accountId, kind }: { accountId: string; kind: string },
  most: number,
): Promise<number> {
  const [row] = await runPrepared<{ open: number }>(manager, OPEN, [accountId, kind, most]);
  return row?.open ?? 0;
}

const UNSIGNED = 'NOT is_kept AND signature IS NULL AND transaction_hash IS NULL';
const SIGNED = 'NOT is_kept AND (signature IS NOT NULL OR transaction_hash IS NOT NULL)';
const EXECUTED = 'EXISTS (SELECT 1 FROM chain_facts fact WHERE fact.action_id_hash = action.action_id_hash)';
/** A moment by the clock ($1) that the index has passed too. */
const PASSED = `least($1::timestamptz, ${INDEXED_TIME})`;

/** Actions whose last second has passed while nothing of them is on the chain; $1 is now, less the time they stay. */
const over = (which: string): string => `
  SELECT id FROM prepared_actions action WHERE ${which} AND valid_until <= ${PASSED} AND NOT ${EXECUTED}
    AND ${isShown('action.task_id')}
    -- What is about something that is still there ends with that.
    AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.id = action.task_id AND t.selection_action_id = action.id)
  ORDER BY valid_until LIMIT ${BATCH} FOR UPDATE OF action SKIP LOCKED`;

const MAY_NOT_COME = `deleted.kind = 'reject_task' AND NOT EXISTS (
  SELECT 1 FROM prepared_actions other
  WHERE other.account_id = deleted.account_id AND NOT other.is_kept AND other.node_id = deleted.node_id
    AND other.kind = 'reject_task' AND other.id NOT IN (SELECT id FROM deleted))`;

/**
 * Deletes actions with what hangs on them, and the reasons of rejections that never came: those that no delivery shows and
 * no other action of their node could still bring.
 */
const deleteOver = (which: string): string => `
  WITH deleted AS (
    DELETE FROM prepared_actions WHERE id IN (${over(which)})
    RETURNING id, account_id, kind, node_id, payload -> 'message' ->> 'reasonHash' AS reason_hash
  ), unsaid AS (
    ${deleteUnsaidReasons('deleted', MAY_NOT_COME)}
  )
  SELECT count(*)::integer AS changed FROM deleted`;

/** Marks what was executed, when its last second has passed: it is not looked at again. */
const keepExecuted = (which: string): string => `
  WITH kept AS (
    UPDATE prepared_actions SET is_kept = true
    WHERE id IN (
      SELECT id FROM prepared_actions action WHERE ${which} AND valid_until <= ${PASSED} AND valid_until > $2 AND ${EXECUTED}
      ORDER BY valid_until LIMIT ${BATCH} FOR UPDATE OF action SKIP LOCKED)
    RETURNING 1
  )
  SELECT count(*)::integer AS changed FROM kept`;

/** Placeholders: now, and the end before which actions are not looked at. */
export const KEEP_EXECUTED = [keepExecuted(UNSIGNED), keepExecuted(SIGNED)] as const;
/** Placeholder: now, less the time that such an action stays. */
export const DELETE_UNSIGNED = deleteOver(UNSIGNED);
export const DELETE_SIGNED = deleteOver(SIGNED);
export const ACTIONS_BATCH = BATCH;
