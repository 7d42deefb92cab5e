/** Who of the sample market is in the place to buy, to work and to own: on the chain they have what can be acted on. */
export const PLACES = `SELECT
    (SELECT buyer_account_id FROM tasks WHERE status = 'delivered' ORDER BY id LIMIT 1) AS buyer,
    (SELECT worker_account_id FROM escrow_nodes WHERE state = 'rejected' ORDER BY id LIMIT 1) AS worker,
    (SELECT worker_account_id FROM escrow_nodes WHERE state = 'funded' AND allocated = 0 ORDER BY id LIMIT 1) AS owner`;

/** Signs the account $1 in with the browser whose cookie has the hash $2. */
export const INSERT_SESSION = `INSERT INTO browser_sessions (id, token_hash, account_id, wallet_address, user_agent, created_at,
    last_seen_at, expires_at)
  SELECT 'sess_' || id, $2, id, '0x' || repeat('1', 40), 'bench', now(), now(), now() + interval '8 hours'
  FROM accounts WHERE id = $1`;
