/** $1 kind, $2 SHA-256 of the id, $3 payload, $4 grant, $5 expiry. */
export const INSERT_RECORD = `INSERT INTO oauth_records (kind, id_hash, payload, grant_id, created_at, expires_at)
  VALUES ($1, $2, $3, $4, now(), $5)`;

/** $1 id, $2 account, $3 application, $4 expiry. */
export const INSERT_GRANT = `INSERT INTO oauth_grants (id, account_id, client_id, client_name, scopes, created_at, expires_at)
       VALUES ($1, $2, $3, 'Bench', ARRAY['read'], now(), $4)`;
