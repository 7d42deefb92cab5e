import type { PersonalTable } from '../../platform/database/personal-data.js';

/** What the table of receipts holds about an account. */
export const RECEIPTS_PERSONAL_DATA: readonly PersonalTable[] = [
  {
    table: 'receipts',
    of: '$1 IN (own.payer_account_id, own.buyer_account_id, own.worker_account_id)',
    withheld: ['document'],
    kept: 'amounts and transactions: the other party needs its receipt',
  },
];
