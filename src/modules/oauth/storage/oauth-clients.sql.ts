/** Registers an application. $1 SHA-256 of its id, $2 its metadata, $3 now. */
export const INSERT_CLIENT = `INSERT INTO oauth_records (kind, id_hash, payload, created_at) VALUES ('Client', $1, $2, $3)`;

/** The metadata of the registered application whose id has the SHA-256 $1, locked. */
export const LOCK_CLIENT = `SELECT payload FROM oauth_records WHERE kind = 'Client' AND id_hash = $1 FOR UPDATE`;

/** Deletes the registered application whose id has the SHA-256 $1, and gives its name. */
export const DELETE_CLIENT = `DELETE FROM oauth_records WHERE kind = 'Client' AND id_hash = $1 RETURNING payload ->> 'client_name' AS name`;

/** Replaces the secret of the application whose id has the SHA-256 $1 by the hash $2. */
export const SET_SECRET = `UPDATE oauth_records SET payload = payload || jsonb_build_object('client_secret', $2::text)
  WHERE kind = 'Client' AND id_hash = $1`;

/** The grants of the application $1 that have not been revoked. */
export const LIVE_GRANTS = `SELECT id FROM oauth_grants WHERE client_id = $1 AND revoked_at IS NULL ORDER BY id`;
