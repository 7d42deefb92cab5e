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

/** Whose actions are counted, of which kind, and up to how many. */
interface OpenActions {
  readonly accountId: string;
  readonly kind: string;
  readonly most: number;
}

/** Returns how many actions of one kind an account has that are not marked as kept yet, at most `most`. */
export async function openActionsOf(manager: EntityManager, { accountId, kind, most }: OpenActions): Promise<number> {
  const [row] = await runPrepared<{ open: number }>(manager, OPEN, [accountId, kind, most]);
  return row?.open ?? 0;
}

const UNSIGNED = 'NOT is_kept AND signature IS NULL AND transaction_hash IS NULL';
const SIGNED = 'NOT is_kept AND (signature IS NOT NULL OR transaction_hash IS NOT NULL)';
/**
 * True when the chain has executed the action of this alias. Whoever sends another call can write any action's id into an
 * event, so its own tree, wallet and nonce count, by which it is also found, however many events have its id. What was
 * signed and has no call is executed by the payment: of any root of a new task, of the selected root. Of many selections of
 * one offer only the task's own counts, or an account could make rows that stay for good.
 */
export const executed = (action: string): string => `(EXISTS (
  SELECT FROM chain_facts fact WHERE fact.task_id = ${action}.task_id AND fact.fact ->> 'type' = 'ActionConsumed'
    AND fact.fact ->> 'signer' = ${action}.wallet_address AND fact.fact ->> 'nonce' = ${action}.nonce::text
    AND fact.action_id_hash = ${action}.action_id_hash)
  OR (${action}.signature IS NOT NULL AND ${action}.kind = 'select_agent' AND EXISTS (
    SELECT FROM tasks JOIN escrow_nodes paid ON paid.task_id = tasks.id AND paid.id = ${action}.node_id
    WHERE tasks.id = ${action}.task_id AND tasks.selection_action_id = ${action}.id))
  OR (${action}.signature IS NOT NULL AND ${action}.kind = 'create_task' AND EXISTS (
    SELECT FROM escrow_nodes paid WHERE paid.task_id = ${action}.task_id AND paid.parent_node_id IS NULL)))`;
const EXECUTED = executed('action');
/** The earlier of a moment by the clock ($1) and the time of the newest indexed block: both clocks have passed it. */
const PASSED = `least($1::timestamptz, ${INDEXED_TIME})`;

/**
 * Selects a batch of actions whose last second has passed and that the chain has not executed. $1 is now, less the time
 * that they stay.
 */
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
 * Deletes a batch of such actions with the rows that refer to them, and the reasons of rejections that never reached the
 * chain: no delivery shows them, and no other open action of the node can still bring them there.
 */
const deleteOver = (which: string): string => `
  WITH deleted AS (
    DELETE FROM prepared_actions WHERE id IN (${over(which)})
    RETURNING id, account_id, kind, node_id, payload -> 'message' ->> 'reasonHash' AS reason_hash
  ), unsaid AS (
    ${deleteUnsaidReasons('deleted', MAY_NOT_COME)}
  )
  SELECT count(*)::integer AS changed FROM deleted`;

/** Marks executed actions as kept once their last second has passed, so that no later sweep looks at them again. */
const keepExecuted = (which: string): string => `
  WITH kept AS (
    UPDATE prepared_actions SET is_kept = true
    WHERE id IN (
      SELECT id FROM prepared_actions action WHERE ${which} AND valid_until <= ${PASSED} AND valid_until > $2 AND ${EXECUTED}
      ORDER BY valid_until LIMIT ${BATCH} FOR UPDATE OF action SKIP LOCKED)
    RETURNING 1
  )
  SELECT count(*)::integer AS changed FROM kept`;

/** Placeholders: now, and a moment; actions whose last second is not after that moment are left out. */
export const KEEP_EXECUTED = [keepExecuted(UNSIGNED), keepExecuted(SIGNED)] as const;
/** Placeholder: now, less the time that such an action stays. */
export const DELETE_UNSIGNED = deleteOver(UNSIGNED);
export const DELETE_SIGNED = deleteOver(SIGNED);
export const ACTIONS_BATCH = BATCH;
