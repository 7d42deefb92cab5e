import { ALL, type PersonalTable } from '../../platform/database/personal-data.js';

/** What the tables of deliveries hold about an account. */
export const DELIVERIES_PERSONAL_DATA: readonly PersonalTable[] = [
  {
    table: 'rejection_reasons',
    of: 'own.node_id IN (SELECT id FROM escrow_nodes WHERE hirer_account_id = $1)',
    deleted: ALL,
  },
  {
    table: 'deliveries',
    of: '$1 IN (own.payer_account_id, own.buyer_account_id, own.worker_account_id)',
    withheld: ['document'],
    kept: 'hashes, ids and times of what is on the chain',
  },
];
