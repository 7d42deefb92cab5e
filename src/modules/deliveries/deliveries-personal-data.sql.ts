import { ALL, type PersonalTable } from '../../platform/database/personal-data.js';

/**
 * What the tables of deliveries hold about an account.
 * @param ownHiring SQL to compare ids of nodes with by `=`: those that the account hires for; this module does not know them.
 */
export const deliveriesPersonalData = (ownHiring: string): readonly PersonalTable[] => [
  {
    table: 'rejection_reasons',
    of: `own.node_id = ${ownHiring}`,
    deleted: ALL,
  },
  {
    table: 'deliveries',
    of: '$1 IN (own.payer_account_id, own.buyer_account_id, own.worker_account_id)',
    withheld: ['document'],
    kept: 'hashes, ids and times of what is on the chain',
  },
];
