import { ALL, type PersonalTable } from '../../platform/database/personal-data.js';

/**
 * What was issued under the account's grants, found by the grants; and what is of a browser, which has no grant yet and
 * lasts for hours, so that reading all of it is little. One condition over both would read every token that there is.
 */
const OWN_RECORDS = `
    SELECT token.kind, token.id_hash FROM oauth_records token
    WHERE token.grant_id IN (SELECT id FROM oauth_grants WHERE account_id = $1)
    UNION ALL SELECT visit.kind, visit.id_hash FROM oauth_records visit
    WHERE visit.kind IN ('Session', 'Interaction')
      AND (visit.payload ->> 'accountId' = $1 OR visit.payload -> 'session' ->> 'accountId' = $1)`;

/** What the tables of applications hold about an account; a table comes before the one by which its rows are found. */
export const OAUTH_PERSONAL_DATA: readonly PersonalTable[] = [
  {
    table: 'oauth_records',
    of: `(own.kind, own.id_hash) IN (${OWN_RECORDS})`,
    // These columns may hold secrets with which an authorization could be continued.
    withheld: ['payload', 'uid'],
    deleted: ALL,
  },
  { table: 'oauth_grants', of: 'own.account_id = $1', deleted: ALL },
];
