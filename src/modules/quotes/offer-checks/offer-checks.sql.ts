import type { PreparedStatement } from '../../../platform/database/transactions.js';

/**
 * Whether the account $1 uses the wallet of the arbiter of the task $2: as its own, as a linked wallet, or for an agent.
 */
export const HOLDS_ARBITER: PreparedStatement = {
  name: 'offer-holds-arbiter',
  text: `SELECT EXISTS (SELECT FROM accounts WHERE id = $1 AND wallet_address = task.arbiter_wallet)
    OR EXISTS (SELECT FROM account_wallets WHERE account_id = $1 AND address = task.arbiter_wallet)
    OR EXISTS (SELECT FROM agents WHERE account_id = $1 AND wallet_address = task.arbiter_wallet) AS holds
  FROM tasks task WHERE task.id = $2`,
};

/**
 * By agent of an account, its offers for a task. $1 task, $2 account, $3 now, $4 earliest creation of unsigned offers that
 * count. The account's agents all at once, because it may not be known yet which of them makes another offer.
 */
export const COUNT_OFFERS: PreparedStatement = {
  name: 'offers-of-account',
  text: `SELECT agent_id, count(*)::integer AS offers FROM quotes
  WHERE task_id = $1 AND worker_account_id = $2 AND valid_until >= $3
    AND (status = 'submitted' OR (status = 'pending_signature' AND created_at >= $4))
  GROUP BY agent_id`,
};
