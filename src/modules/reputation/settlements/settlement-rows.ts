import type { EntityManager } from 'typeorm';
import { runPrepared, runWithNext } from '../../../platform/database/transactions.js';
import {
  ADD_SETTLEMENTS,
  REMOVE_SETTLEMENTS,
  SETTLEMENTS_OF_TASKS,
  type StoredSettlement,
} from './settlement-rows.sql.js';
import type { SettlementEntity } from './settlement.entity.js';

/** Reads the settlements of tasks. Uses a prepared statement, because every change of a tree reads them. */
export async function settlementsOfTasks(
  manager: EntityManager,
  taskIds: readonly string[],
): Promise<SettlementEntity[]> {
  if (taskIds.length === 0) return [];
  const rows = await runPrepared<StoredSettlement>(manager, SETTLEMENTS_OF_TASKS, [[...taskIds]]);
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount), released: BigInt(row.released) }));
}

/** Inserts settlements, which must not exist yet. */
export async function addSettlements(manager: EntityManager, rows: readonly SettlementEntity[]): Promise<void> {
  if (rows.length === 0) return;
  await runWithNext(manager, ADD_SETTLEMENTS, [
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
  await runWithNext(manager, REMOVE_SETTLEMENTS, [rows.map(({ nodeId }) => nodeId)]);
}
