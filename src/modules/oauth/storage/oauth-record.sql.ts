import { deleteBatch } from '../../../platform/database/expired-rows.sql.js';
import type { PreparedStatement } from '../../../platform/database/transactions.js';

/**
 * Statements over oauth_records. $1 is the kind and $2 the SHA-256 of the id unless a statement says otherwise; all times
 * are by the wall clock of the process.
 */

/** $3 payload, $4 grant id, $5 uid, $6 rotations, $7 now, $8 expiry or null. */
export const UPSERT = statement(
  'upsert',
  `
  INSERT INTO oauth_records (kind, id_hash, payload, grant_id, uid, rotations, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (kind, id_hash) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id,
    uid = excluded.uid, rotations = excluded.rotations, expires_at = excluded.expires_at`,
);

/**
 * As UPSERT, by the uid of a session. The library gives a session a new id at each sign-in; two tabs that sign in at once
 * still share one session, which then has the id of the later sign-in.
 */
export const UPSERT_SESSION = statement(
  'upsert-session',
  `
  INSERT INTO oauth_records (kind, id_hash, payload, grant_id, uid, rotations, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (uid) WHERE kind = 'Session' DO UPDATE SET id_hash = excluded.id_hash, payload = excluded.payload,
    expires_at = excluded.expires_at`,
);

/** As UPSERT, but changes nothing and gives no row when the record exists: of two inserts at once, only one gets a row. */
export const INSERT_ONCE = statement(
  'insert-once',
  `
  INSERT INTO oauth_records (kind, id_hash, payload, grant_id, uid, rotations, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (kind, id_hash) DO NOTHING RETURNING kind`,
);

/**
 * $3 now, $4 when the request began. A record that was consumed after $4 counts as not consumed: a concurrent request did
 * it, and `CONSUME` refuses this one. Reporting it as consumed would count as a replay and revoke the other's tokens.
 */
export const FIND = statement(
  'find',
  `
  SELECT payload, CASE WHEN consumed_at <= $4 THEN extract(epoch FROM consumed_at)::float8 END AS consumed
  FROM oauth_records
  WHERE kind = $1 AND id_hash = $2 AND (expires_at IS NULL OR expires_at > $3)`,
);

/** $1 uid of a session, $2 now. */
export const FIND_SESSION = statement(
  'find-session',
  `
  SELECT payload, NULL AS consumed FROM oauth_records
  WHERE kind = 'Session' AND uid = $1 AND (expires_at IS NULL OR expires_at > $2)`,
);

/** $3 now. Compare-and-set: of any number of requests at once, one gets a row. */
export const CONSUME = statement(
  'consume',
  `
  UPDATE oauth_records SET consumed_at = $3
  WHERE kind = $1 AND id_hash = $2 AND consumed_at IS NULL RETURNING kind`,
);

/** Replaces the secret of an application ($1: hash of its id) if it is still the compared one ($2) by $3. */
export const RENEW_SECRET = statement(
  'renew-secret',
  `UPDATE oauth_records SET payload = payload || jsonb_build_object('client_secret', $3::text)
   WHERE kind = 'Client' AND id_hash = $1 AND payload ->> 'client_secret' = $2`,
);

/**
 * $3 now. Runs right before the commit, so that the time of use is the time of the answer: a request that began earlier
 * cannot be a replay, because there was no answer yet.
 */
export const STAMP = statement('stamp', `UPDATE oauth_records SET consumed_at = $3 WHERE kind = $1 AND id_hash = $2`);

/** When a token of the same grant and the same rotation was first exchanged. Retries make several tokens per rotation. */
const TURN_CONSUMED = `(
    SELECT min(turn.consumed_at) FROM oauth_records turn
    WHERE turn.kind = 'RefreshToken' AND turn.grant_id = token.grant_id AND turn.rotations = token.rotations)`;

/** True when a token of a later rotation was used: then the answer of this rotation has reached somebody. */
const SUCCESSOR_CONSUMED = `EXISTS (
    SELECT 1 FROM oauth_records next
    WHERE next.kind = 'RefreshToken' AND next.grant_id = token.grant_id AND next.rotations > token.rotations
      AND next.consumed_at IS NOT NULL)`;

/** $1 SHA-256, $2 now, $3 when the request began, $4 leeway in seconds (RFC 9700 strictly: 0). */
export const FIND_REFRESH_TOKEN = statement(
  'find-refresh-token',
  `
  SELECT token.payload, CASE
      WHEN first.at > $3 THEN NULL
      WHEN $4::int > 0 AND first.at > $2::timestamptz - make_interval(secs => $4::int) AND NOT ${SUCCESSOR_CONSUMED}
        THEN NULL
      ELSE extract(epoch FROM first.at)::float8 END AS consumed
  FROM oauth_records token CROSS JOIN LATERAL (SELECT ${TURN_CONSUMED} AS at) first
  WHERE token.kind = 'RefreshToken' AND token.id_hash = $1 AND (token.expires_at IS NULL OR token.expires_at > $2)`,
);

/** $1 SHA-256, $2 now, $3 leeway in seconds. */
export const CONSUME_REFRESH_TOKEN = statement(
  'consume-refresh-token',
  `
  UPDATE oauth_records token SET consumed_at = COALESCE(token.consumed_at, $2)
  WHERE token.kind = 'RefreshToken' AND token.id_hash = $1 AND (
    (token.consumed_at IS NULL AND ${TURN_CONSUMED} IS NULL)
    OR ($3::int > 0 AND LEAST(token.consumed_at, ${TURN_CONSUMED}) > $2::timestamptz - make_interval(secs => $3::int)
      AND NOT ${SUCCESSOR_CONSUMED}))
  RETURNING token.consumed_at = $2 AS is_first`,
);

export const DESTROY = statement(
  'destroy',
  `DELETE FROM oauth_records WHERE kind = $1 AND id_hash = $2 RETURNING kind`,
);

/** $2 is the grant's id. */
export const DESTROY_OF_GRANT = statement(
  'destroy-of-grant',
  `DELETE FROM oauth_records WHERE kind = $1 AND grant_id = $2`,
);

/** Ends the grant $1 at the time $2, unless it has ended before. */
export const END_GRANT = `UPDATE oauth_grants SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL
  RETURNING account_id, client_id`;

/** Deletes the grant $1 and everything issued under it. Interactions that name it stay until they expire. */
export const DELETE_GRANT_RECORDS = `DELETE FROM oauth_records
  WHERE grant_id = $1 AND kind IN ('AccessToken', 'RefreshToken', 'AuthorizationCode', 'Grant')`;

/** Deletes records that had expired at the time $1. */
export const DELETE_EXPIRED_RECORDS = deleteBatch('oauth_records', 'kind, id_hash');

/**
 * Deletes applications that registered themselves before the time $1 and have no grant. One with grants stays until the
 * last of them is deleted.
 */
export const DELETE_UNUSED_CLIENTS = deleteBatch(
  'oauth_records',
  'kind, id_hash',
  `kind = 'Client' AND payload->>'registered_by' = 'self' AND created_at <= $1
      AND NOT EXISTS (SELECT 1 FROM oauth_grants allowed WHERE allowed.client_id = oauth_records.payload->>'client_id')`,
  'created_at',
);

/** Deletes grants that had expired or been revoked at the time $1. */
export const DELETE_ENDED_GRANTS = deleteBatch('oauth_grants', 'id', 'least(expires_at, revoked_at) <= $1');

function statement(name: string, text: string): PreparedStatement {
  return { name: `oauth-record-${name}`, text };
}
