import { ALL, type PersonalTable } from '../../platform/database/personal-data.js';

/** What the tables of applications hold about an account; a table comes before the one by which its rows are found. */
export const OAUTH_PERSONAL_DATA: readonly PersonalTable[] = [
  {
    table: 'oauth_records',
    of: `(own.grant_id IN (SELECT id FROM oauth_grants WHERE account_id = $1) OR own.payload ->> 'accountId' = $1
      OR own.payload -> 'session' ->> 'accountId' = $1)`,
    // These columns may hold secrets with which an authorization could be continued.
    withheld: ['payload', 'uid'],
    deleted: ALL,
  },
  { table: 'oauth_grants', of: 'own.account_id = $1', deleted: ALL },
];
