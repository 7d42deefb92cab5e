import type { PersonalTable } from '../../platform/database/personal-data.js';

/** What the table of offers holds about an account. */
export const QUOTES_PERSONAL_DATA: readonly PersonalTable[] = [
  {
    table: 'quotes',
    of: '(own.worker_account_id = $1 OR own.payer_account_id = $1)',
    withheld: ['document'],
    deleted: `own.worker_account_id = $1 AND own.status <> 'accepted'
      AND NOT EXISTS (SELECT FROM tasks task WHERE task.id = own.task_id AND task.selected_quote_id = own.id)`,
    kept: 'offers that were taken up, which are on the chain, and those that others have made',
  },
];
