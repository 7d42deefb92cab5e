import { INDEXED_TIME, isShown } from '../../../platform/chain/indexed-time.sql.js';
import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { executed } from '../action/action-bounds.sql.js';

/** What is taken of a policy; amounts are text in base units. */
export interface SpentRow {
  today: string;
  in_total: string;
}

/** The earlier of the moment $1 and the time of the newest indexed block: a block that is unread may hold a payment. */
const passed = (moment: string): string => `least(${moment}::timestamptz, ${INDEXED_TIME})`;
/**
 * True when the chain has not executed the action of this alias, and by what is known never will. A failed transaction ends
 * nothing: the signed call can be sent again until its last second. The look-up comes last.
 */
const givenBack = (action: string, moment: string): string => `(
  (${action}.told_status IN ('declined', 'superseded') OR ${action}.valid_until < ${passed(moment)})
  AND NOT ${executed(action)})`;

/** Of all actions for one payment the chain executes at most one, so a payment counts once, on the day of the newest. */
const sumOf = (reservations: string, policy = '$1'): string => `
  SELECT (coalesce(sum(amount) FILTER (WHERE payment.day = $3::date), 0)
      + coalesce((SELECT on_day FROM spent_sums WHERE policy_id = ${policy} AND day = $3::date), 0))::text AS today,
    (coalesce(sum(amount), 0) + coalesce((SELECT in_total FROM spent_sums WHERE policy_id = ${policy}), 0))::text AS in_total
  FROM (SELECT payment, max(amount) AS amount, max(day) AS day FROM ${reservations}
    WHERE reservation.policy_id = ${policy} AND reservation.payment <> $2
    GROUP BY payment) AS payment`;

/**
 * At least what is taken of the policy $1 without the payment $2, in all and on the day $3: what was given back a moment
 * ago still counts. It reads one index.
 */
export const SPENT_AT_MOST: PreparedStatement = {
  name: 'spent-at-most',
  text: sumOf('spend_reservations reservation'),
};

/** The reservations that are not given back at the moment $4. */
const HELD = `spend_reservations reservation JOIN prepared_actions action
    ON action.id = reservation.action_id AND NOT ${givenBack('action', '$4')}`;

/** Exactly what is taken, as of the moment $4. */
export const SPENT: PreparedStatement = { name: 'spent', text: sumOf(HELD) };

/** As `SPENT`, of each of the policies $1. */
export const SPENT_OF_EACH: PreparedStatement = {
  name: 'spent-of-each',
  text: `SELECT policy.id, taken.today, taken.in_total FROM unnest($1::text[]) AS policy (id)
    CROSS JOIN LATERAL (${sumOf(HELD, 'policy.id')}) AS taken`,
};

/** Takes $4 of the policy $2 on the day $5 for the action $1, one of those for the payment $3. */
export const RESERVE: PreparedStatement = {
  name: 'spend-reserve',
  text: `INSERT INTO spend_reservations (action_id, policy_id, payment, amount, day) VALUES ($1, $2, $3, $4, $5)`,
};

export const SETTLED_AT_ONCE = 500;

/**
 * Ends a batch of reservations whose last second has passed at $1: of those that the chain has not executed nothing stays,
 * those whose execution is final go into the sum of their policy. What is executed and not final may still be undone.
 */
export const SETTLE = `
  WITH over AS (
    DELETE FROM spend_reservations WHERE action_id IN (
      SELECT reservation.action_id FROM spend_reservations reservation
      JOIN prepared_actions action ON action.id = reservation.action_id
      WHERE action.valid_until < ${passed('$1')} AND (action.told_status = 'final' OR NOT ${executed('action')})
        AND ${isShown('action.task_id')}
      LIMIT ${SETTLED_AT_ONCE} FOR UPDATE OF reservation SKIP LOCKED)
    RETURNING action_id, policy_id, amount, day
  ), paid AS (
    SELECT over.policy_id, over.amount, over.day, max(over.day) OVER (PARTITION BY over.policy_id) AS newest
    FROM over JOIN prepared_actions action ON action.id = over.action_id AND action.told_status = 'final'
  ), added AS (
    INSERT INTO spent_sums AS sum (policy_id, in_total, day, on_day)
    SELECT policy_id, sum(amount), newest, sum(amount) FILTER (WHERE day = newest) FROM paid GROUP BY policy_id, newest
    ON CONFLICT (policy_id) DO UPDATE SET in_total = sum.in_total + excluded.in_total,
      on_day = CASE WHEN excluded.day = sum.day THEN sum.on_day + excluded.on_day
        WHEN excluded.day > sum.day THEN excluded.on_day ELSE sum.on_day END,
      day = greatest(sum.day, excluded.day)
  )
  SELECT count(*)::integer AS changed FROM over`;
