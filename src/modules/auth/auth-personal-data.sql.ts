import { ALL, type PersonalTable } from '../../platform/database/personal-data.js';

const WALLETS = `SELECT address FROM account_wallets WHERE account_id = $1
  UNION SELECT wallet_address FROM accounts WHERE id = $1 AND wallet_address IS NOT NULL`;

/** What the tables of accounts hold about one; those come first whose rows are found by others of this list. */
export const AUTH_PERSONAL_DATA: readonly PersonalTable[] = [
  { table: 'wallet_challenges', of: `own.address IN (${WALLETS})`, withheld: ['nonce', 'proved_by'], deleted: ALL },
  {
    table: 'oauth_records',
    of: `(own.grant_id IN (SELECT id FROM oauth_grants WHERE account_id = $1) OR own.payload ->> 'accountId' = $1
      OR own.payload -> 'session' ->> 'accountId' = $1)`,
    // It may hold what continues an authorization.
    withheld: ['payload', 'uid'],
    deleted: ALL,
  },
  { table: 'oauth_grants', of: 'own.account_id = $1', deleted: ALL },
  { table: 'browser_sessions', of: 'own.account_id = $1', deleted: ALL },
  { table: 'api_keys', of: 'own.account_id = $1', deleted: ALL },
  {
    table: 'audit_events',
    of: 'own.account_id = $1',
    kept: 'the record of what was done in the account takes no change; its months leave it after AUDIT_RETENTION_DAYS',
  },
  { table: 'audit_counts', of: 'own.source = $1', kept: 'counts of the same record, which end with it' },
];

/** The account itself and its wallets: everything else is found by them. */
export const ACCOUNT_PERSONAL_DATA: readonly PersonalTable[] = [
  { table: 'account_wallets', of: 'own.account_id = $1', deleted: ALL },
  {
    table: 'accounts',
    of: 'own.id = $1',
    cleared: { set: `name = 'Erased account', wallet_address = NULL, status = 'erased'` },
    kept: 'the id, to which tasks, nodes and receipts of others refer, and the date',
  },
];
