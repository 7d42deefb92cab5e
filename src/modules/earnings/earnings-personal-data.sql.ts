import type { PersonalTable } from '../../platform/database/personal-data.js';
import { nodesOfParty } from '../escrow/escrow.sql-views.js';

const KEPT = 'sums of what nodes are worth, as the chain has them';

/** What the sums of earnings hold about an account. */
export const EARNINGS_PERSONAL_DATA: readonly PersonalTable[] = [
  {
    table: 'node_earnings',
    of: `own.node_id = ${nodesOfParty('$1')} AND own.account_id = $1`,
    kept: KEPT,
  },
  { table: 'task_earnings', of: 'own.account_id = $1', withheld: ['document'], kept: KEPT },
  { table: 'account_earnings', of: 'own.account_id = $1', withheld: ['document'], kept: KEPT },
];
