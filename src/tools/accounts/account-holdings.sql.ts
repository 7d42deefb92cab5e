/** Counts what belongs to the account $1; keys, grants and sessions count if they are live at the time $2. */
export const HOLDINGS = `SELECT
  (SELECT count(*) FROM tasks WHERE buyer_account_id = $1)::int AS tasks,
  (SELECT count(*) FROM agents WHERE account_id = $1)::int AS agents,
  (SELECT count(*) FROM account_wallets WHERE account_id = $1)::int AS proved_wallets,
  (SELECT count(*) FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL AND expires_at > $2)::int AS live_keys,
  (SELECT count(*) FROM oauth_grants WHERE account_id = $1 AND revoked_at IS NULL AND expires_at > $2)::int AS live_grants,
  (SELECT count(*) FROM browser_sessions WHERE account_id = $1 AND ended_at IS NULL AND expires_at > $2)::int AS live_sessions`;
