import { ALL, type PersonalTable } from '../../platform/database/personal-data.js';

/** What the tables of browser sessions and of the audit record hold about an account. */
export const ACCOUNT_RECORD_PERSONAL_DATA: readonly PersonalTable[] = [
  { table: 'browser_sessions', of: 'own.account_id = $1', deleted: ALL },
  {
    table: 'audit_events',
    of: 'own.account_id = $1',
    kept: 'the record of what was done in the account takes no change; its months leave it after AUDIT_RETENTION_DAYS',
  },
  { table: 'audit_counts', of: 'own.source = $1', kept: 'counts of the same record, which end with it' },
];

/** The account itself and its wallets. They come last, because everything else is found by them. */
export const ACCOUNT_PERSONAL_DATA: readonly PersonalTable[] = [
  { table: 'account_wallets', of: 'own.account_id = $1', deleted: ALL },
  {
    table: 'accounts',
    of: 'own.id = $1',
    cleared: { set: `name = 'Erased account', wallet_address = NULL, status = 'erased'` },
    kept: 'the id, to which tasks, nodes and receipts of others refer, and the date',
  },
];
