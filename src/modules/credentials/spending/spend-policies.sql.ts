import type { PreparedStatement } from '../../../platform/database/transactions.js';

/** A policy as it is read; amounts are text in base units. */
export interface SpendPolicyRow {
  id: string;
  per_payment: string | null;
  per_day: string | null;
  in_total: string | null;
  counterparties: string[] | null;
}

const COLUMNS = 'id, per_payment::text, per_day::text, in_total::text, counterparties';

/** The limits of the policy $1. */
export const READ_POLICY: PreparedStatement = {
  name: 'spend-policy-read',
  text: `SELECT ${COLUMNS} FROM spend_policies WHERE id = $1`,
};

/**
 * As `READ_POLICY`, and nobody else prepares a payment under it or changes it until the transaction ends. It leaves
 * alone those that only refer to the row.
 */
export const LOCK_POLICY: PreparedStatement = {
  name: 'spend-policy-lock',
  text: `SELECT ${COLUMNS} FROM spend_policies WHERE id = $1 FOR NO KEY UPDATE`,
};
