import type { EntityManager } from 'typeorm';
import { type PreparedStatement, runPrepared, runWithNext } from '../../../platform/database/transactions.js';
import type { SettlementEntity } from './settlement.entity.js';

const COLUMNS = `node_id, task_id, agent_id, worker_account_id, payer_account_id, payer_wallet, worker_wallet, amount, released,
  outcome, settled_at`;

const OF_TASKS: PreparedStatement = {
  name: 'settlements_of_tasks',
  text: `SELECT node_id AS "nodeId", task_id AS "taskId", agent_id AS "agentId", worker_account_id AS "workerAccountId",
      payer_account_id AS "payerAccountId", payer_wallet AS "payerWallet", worker_wallet AS "workerWallet", amount, released,
      outcome, settled_at AS "settledAt"
    FROM settlements WHERE task_id = ANY($1::text[])`,
};

interface StoredSettlement extends Omit<SettlementEntity, 'amount' | 'released'> {
  amount: string;
  released: string;
}

const ADD: PreparedStatement = {
  name: 'settlements_add',
  text: `INSERT INTO settlements (${COLUMNS})
    SELECT ${COLUMNS} FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
      $8::numeric[], $9::numeric[], $10::text[], $11::timestamptz[]) AS row (${COLUMNS})`,
};

const REMOVE: PreparedStatement = {
  name: 'settlements_remove',
  text: 'DELETE FROM settlements WHERE node_id = ANY($1)',
};

/** Reads the settlements of tasks. Uses a prepared statement, because every change of a tree reads them. */
export async function settlementsOfTasks(
  manager: EntityManager,
  taskIds: readonly string[],
): Promise<SettlementEntity[]> {
  if (taskIds.length === 0) return [];
  const rows = await runPrepared<StoredSettlement>(manager, OF_TASKS, [[...taskIds]]);
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount), released: BigInt(row.released) }));
}

/** Inserts settlements, which must not exist yet. */
export async function addSettlements(manager: EntityManager, rows: readonly SettlementEntity[]): Promise<void> {
  if (rows.length === 0) return;
  await runWithNext(manager, ADD, [
    rows.map(({ nodeId }) => nodeId),
    rows.map(({ taskId }) => taskId),
    rows.map(({ agentId }) => agentId),
    rows.map(({ workerAccountId }) => workerAccountId),
    rows.map(({ payerAccountId }) => payerAccountId),
    rows.map(({ payerWallet }) => payerWallet),
    rows.map(({ workerWallet }) => workerWallet),
    rows.map(({ amount }) => amount.toString()),
    rows.map(({ released }) => released.toString()),
    rows.map(({ outcome }) => outcome),
    rows.map(({ settledAt }) => settledAt),
  ]);
}

/** Deletes settlements. */
export async function removeSettlements(manager: EntityManager, rows: readonly SettlementEntity[]): Promise<void> {
  if (rows.length === 0) return;
  await runWithNext(manager, REMOVE, [rows.map(({ nodeId }) => nodeId)]);
}
