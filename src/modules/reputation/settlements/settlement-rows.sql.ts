import type { PreparedStatement } from '../../../platform/database/transactions.js';
import type { SettlementEntity } from './settlement.entity.js';

const COLUMNS = `node_id, task_id, agent_id, worker_account_id, payer_account_id, payer_wallet, worker_wallet, amount, released,
  outcome, settled_at`;

/** The settlements of the tasks $1. */
export const SETTLEMENTS_OF_TASKS: PreparedStatement = {
  name: 'settlements_of_tasks',
  text: `SELECT node_id AS "nodeId", task_id AS "taskId", agent_id AS "agentId", worker_account_id AS "workerAccountId",
      payer_account_id AS "payerAccountId", payer_wallet AS "payerWallet", worker_wallet AS "workerWallet", amount, released,
      outcome, settled_at AS "settledAt"
    FROM settlements WHERE task_id = ANY($1::text[])`,
};

/** A settlement as Postgres gives it: its amounts are texts. */
export interface StoredSettlement extends Omit<SettlementEntity, 'amount' | 'released'> {
  amount: string;
  released: string;
}

/** Inserts settlements. Placeholders: the columns, one list each, in the same order. */
export const ADD_SETTLEMENTS: PreparedStatement = {
  name: 'settlements_add',
  text: `INSERT INTO settlements (${COLUMNS})
    SELECT ${COLUMNS} FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
      $8::numeric[], $9::numeric[], $10::text[], $11::timestamptz[]) AS row (${COLUMNS})`,
};

/** Deletes the settlements of the nodes $1. */
export const REMOVE_SETTLEMENTS: PreparedStatement = {
  name: 'settlements_remove',
  text: 'DELETE FROM settlements WHERE node_id = ANY($1)',
};
