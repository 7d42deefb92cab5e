import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { keyLasts, lastingGrants } from '../credentials.sql-views.js';

const GRANTS = lastingGrants('allowed', '$3');

/**
 * The status of an account, and whether a credential of it lasts. Placeholders: account, id of a key or of a grant, the wall
 * clock's time. It locks the account against being erased, and if it waits for that, it reads the account as erased.
 */
export const STILL_HOLDS: PreparedStatement = {
  name: 'credential-still-holds',
  text: `
  SELECT account.status,
    EXISTS (SELECT FROM api_keys key WHERE key.id = $2 AND key.account_id = $1 AND ${keyLasts('key', '$3')})
    OR EXISTS (SELECT FROM ${GRANTS.from} WHERE allowed.id = $2 AND allowed.account_id = $1 AND ${GRANTS.where}) AS lasts
  FROM accounts account WHERE account.id = $1 FOR KEY SHARE OF account`,
};
