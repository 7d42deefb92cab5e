/** Whether the account $1 uses the wallet $2: as its own, as a linked wallet, or for an agent. */
export const HOLDS_WALLET = `SELECT EXISTS (SELECT FROM accounts WHERE id = $1 AND wallet_address = $2)
  OR EXISTS (SELECT FROM account_wallets WHERE account_id = $1 AND address = $2)
  OR EXISTS (SELECT FROM agents WHERE account_id = $1 AND wallet_address = $2) AS holds`;

/** $1 task, $2 agent, $3 now, $4 earliest creation of unsigned offers that count. */
export const COUNT_OFFERS = `SELECT count(*)::integer AS offers FROM quotes
  WHERE task_id = $1 AND agent_id = $2 AND valid_until >= $3
    AND (status = 'submitted' OR (status = 'pending_signature' AND created_at >= $4))`;
