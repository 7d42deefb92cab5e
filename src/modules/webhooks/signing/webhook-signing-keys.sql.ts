/** Serialises the making of the first key. The lock's numbers are arbitrary. */
export const LOCK_WEBHOOK_KEYS = 'SELECT pg_advisory_xact_lock(7305, 95)';
