import { ALL, type PersonalTable } from '../../platform/database/personal-data.js';

const OWN_AGENTS = 'SELECT id FROM agents WHERE account_id = $1';
const COUNTED = 'amounts and ends of paid work, from which the reputation of others is counted';

/**
 * What the tables of reputation hold about an account.
 * @param ownTasks SQL to compare ids of tasks with by `=`: those that the account is a party of.
 */
export const reputationPersonalData = (ownTasks: string): readonly PersonalTable[] => [
  { table: 'verified_buyers', of: 'own.account_id = $1', deleted: ALL },
  {
    table: 'settlements',
    of: `own.task_id = ${ownTasks} AND $1 IN (own.payer_account_id, own.worker_account_id)`,
    kept: COUNTED,
  },
  { table: 'reputation_records', of: `own.agent_id IN (${OWN_AGENTS})`, withheld: ['document'], kept: COUNTED },
  { table: 'buyer_sums', of: `own.agent_id IN (${OWN_AGENTS})`, kept: COUNTED },
  { table: 'buyer_evidence', of: `own.agent_id IN (${OWN_AGENTS})`, kept: COUNTED },
  { table: 'account_clusters', of: 'own.account_id = $1', kept: 'which ids belong together, as the payments say' },
];
