import { ALL, type PersonalTable } from '../../platform/database/personal-data.js';

/** What webhooks hold about an account: its addresses, and what their servers answered. */
export const WEBHOOKS_PERSONAL_DATA: readonly PersonalTable[] = [
  {
    table: 'webhook_retries',
    of: 'own.endpoint_id IN (SELECT mine.id FROM webhook_endpoints mine WHERE mine.account_id = $1)',
    deleted: ALL,
  },
  { table: 'webhook_endpoints', of: 'own.account_id = $1', deleted: ALL },
  // Behind the endpoints, whose deletion waits for an attempt that is being recorded.
  { table: 'webhook_attempts', of: 'own.account_id = $1', deleted: ALL },
];
