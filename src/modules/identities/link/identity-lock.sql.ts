/** Serialises the links to one identity, $1 its name, until the transaction ends. The second number is arbitrary. */
export const LOCK_IDENTITY = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 8004))';
