import type { PreparedStatement } from '../../../platform/database/transactions.js';

/** How many tasks of the buyer $1 nobody has paid for. */
export const COUNT_UNPAID: PreparedStatement = {
  name: 'tasks-unpaid',
  text: 'SELECT count(*)::integer AS unpaid FROM tasks WHERE buyer_account_id = $1 AND chain_status IS NULL',
};
