import { ALL, type PersonalTable } from '../../platform/database/personal-data.js';

/** What the table of API keys holds about an account. */
export const CREDENTIALS_PERSONAL_DATA: readonly PersonalTable[] = [
  { table: 'api_keys', of: 'own.account_id = $1', deleted: ALL },
  { table: 'spend_policies', of: 'own.account_id = $1', deleted: ALL },
];
