import { ALL, type PersonalTable } from '../../platform/database/personal-data.js';

/** What the tables of matching hold about an account; the words of its agents and briefs go with their texts. */
export const MATCHING_PERSONAL_DATA: readonly PersonalTable[] = [
  { table: 'match_snapshots', of: 'own.account_id = $1', deleted: ALL },
  {
    table: 'match_impressions',
    of: 'own.task_id IN (SELECT id FROM tasks WHERE buyer_account_id = $1)',
    deleted: ALL,
  },
  {
    table: 'agent_impressions',
    of: 'own.agent_id IN (SELECT id FROM agents WHERE account_id = $1)',
    deleted: ALL,
  },
];
