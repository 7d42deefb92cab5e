import type { PreparedStatement } from '../../platform/database/transactions.js';

/** The account $1, unless it is suspended or erased. */
export const ACTIVE_ACCOUNT: PreparedStatement = {
  name: 'account-active',
  text: `SELECT id FROM accounts WHERE id = $1 AND status = 'active'`,
};
