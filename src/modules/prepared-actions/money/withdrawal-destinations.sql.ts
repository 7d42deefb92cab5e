import type { PreparedStatement } from '../../../platform/database/transactions.js';

/** Finds the task whose escrow has an address. Placeholder: address. */
export const IS_ESCROW: PreparedStatement = {
  name: 'withdrawal-destination-escrow',
  text: 'SELECT id FROM tasks WHERE escrow_address = $1',
};
