import { ALL, type PersonalTable } from '../../platform/database/personal-data.js';

const WALLETS = `SELECT address FROM account_wallets WHERE account_id = $1
  UNION SELECT wallet_address FROM accounts WHERE id = $1 AND wallet_address IS NOT NULL`;

/** What the sign-in challenges for an account's wallets hold about the account. */
export const SIGN_IN_PERSONAL_DATA: readonly PersonalTable[] = [
  { table: 'wallet_challenges', of: `own.address IN (${WALLETS})`, withheld: ['nonce', 'proved_by'], deleted: ALL },
];
