/** Lock of what an account ($2) has under a quota's name ($1), until the transaction ends. */
export const LOCK_QUOTA = {
  name: 'quota-lock',
  text: "SELECT pg_advisory_xact_lock(hashtextextended('quota:' || $1 || ':' || $2, 0))",
} as const;
