import { ALL, type PersonalTable } from '../database/personal-data.js';

/** Stored answers of an account's requests. */
export const IDEMPOTENCY_PERSONAL_DATA: readonly PersonalTable[] = [
  { table: 'idempotency_records', of: 'own.account_id = $1', deleted: ALL },
];
