import type { PreparedStatement } from '../database/transactions.js';

/** The answer that a key has. */
export interface RecordRow {
  fingerprint: Buffer;
  api_version: string;
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  expired: boolean;
}

/**
 * Takes a key, if nobody has it. $1 scope, $2 fingerprint, $3 version, $4 account, $5 operation, $6 now, $7 expiry, $8
 * longest wait. The lock wait is bounded by the statement itself (set_config is local to the transaction): one round
 * trip.
 */
export const RESERVE_KEY: PreparedStatement = {
  name: 'idempotency-reserve',
  text: `
  WITH bound AS MATERIALIZED (SELECT set_config('lock_timeout', $8, true))
  INSERT INTO idempotency_records
    (scope_hash, fingerprint, api_version, account_id, operation_id, status, headers, body, created_at, expires_at)
  SELECT $1, $2, $3, $4, $5, 0, '{}', '', $6, $7 FROM bound
  ON CONFLICT (scope_hash) DO NOTHING
  RETURNING 1 AS reserved`,
};

/** The answer of the key $1; $2 now. */
const FIND = `
  SELECT fingerprint, api_version, status, headers, body, expires_at <= $2 AS expired
  FROM idempotency_records WHERE scope_hash = $1`;

/** As FIND; waits for no lock. */
export const FIND_ANSWER: PreparedStatement = { name: 'idempotency-answer', text: FIND };

/** As FIND, locked. */
export const LOCK_ANSWER: PreparedStatement = { name: 'idempotency-find', text: `${FIND} FOR UPDATE` };

/** Deletes the key $1. */
export const FORGET_KEY = 'DELETE FROM idempotency_records WHERE scope_hash = $1';

/** Stores the answer of the key $1. $2 status, $3 headers, $4 sealed body. */
export const COMPLETE_KEY: PreparedStatement = {
  name: 'idempotency-complete',
  text: 'UPDATE idempotency_records SET status = $2, headers = $3, body = $4 WHERE scope_hash = $1',
};
