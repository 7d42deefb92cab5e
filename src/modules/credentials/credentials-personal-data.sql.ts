import { ALL, type PersonalTable } from '../../platform/database/personal-data.js';

/** What the keys of an account hold about it. */
export const CREDENTIALS_PERSONAL_DATA: readonly PersonalTable[] = [
  { table: 'api_keys', of: 'own.account_id = $1', deleted: ALL },
];
