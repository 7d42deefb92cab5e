import type { PersonalTable } from '../../platform/database/personal-data.js';

const OWN_TASKS = 'SELECT id FROM tasks WHERE buyer_account_id = $1';

/** What the tables of tasks hold about an account. */
export const TASKS_PERSONAL_DATA: readonly PersonalTable[] = [
  {
    table: 'task_invitations',
    of: `own.task_id IN (${OWN_TASKS})`,
    kept: 'ids of agents of others; they go with the task',
  },
  {
    table: 'task_parties',
    of: 'own.account_id = $1',
    deleted: `own.role IN ('invited', 'matched', 'quoted')`,
    kept: 'the role of an id in tasks that it paid for or worked for',
  },
  {
    table: 'tasks',
    of: 'own.buyer_account_id = $1',
    withheld: ['document'],
    // The documents of tasks contain these texts, so task-erasure.ts renders them anew.
    cleared: { set: `title = NULL, brief = '[erased]', criteria = '{}'` },
    kept: 'amounts, times, the hash of the terms and the wallets that the escrow commits to: the books of others need them',
  },
];
