/** Serialises the making of the first key. The lock's numbers are arbitrary. */
export const LOCK_WEBHOOK_KEYS = 'SELECT pg_advisory_xact_lock(7305, 95)';

/** $1 id, $2 public key, $3 sealed private part, $4 now. */
export const INSERT_WEBHOOK_KEY = `INSERT INTO webhook_signing_keys (id, public_key, private_sealed, created_at)
  VALUES ($1, $2, $3, $4)`;
