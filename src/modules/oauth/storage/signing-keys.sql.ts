/** $1 id, $2 public JWK, $3 sealed private part, $4 now, $5 time from which it signs. */
export const INSERT_SIGNING_KEY = `INSERT INTO oauth_signing_keys (id, public_jwk, private_sealed, created_at, signs_from)
  VALUES ($1, $2, $3, $4, $5)`;

/** Waits for the advisory lock $1, and holds it until the transaction ends. */
export const LOCK_SIGNING_KEYS = 'SELECT pg_advisory_xact_lock($1)';
