import type { EntityManager } from 'typeorm';
import { INDEXED_TIME, isShown } from '../../../platform/chain/indexed-time.sql.js';
import { columnsSql } from '../../../platform/database/entity-rows.js';
import { type PreparedStatement, runWithNext } from '../../../platform/database/transactions.js';
import { TaskEntity } from './task.entity.js';

/** A task and its buyer's account. */
export interface OwnedTask {
  readonly id: string;
  readonly buyerAccountId: string;
}

/** Locks the tasks $1 and reads their buyers. */
export const LOCK_TASKS = `SELECT id, buyer_account_id AS "buyerAccountId" FROM tasks
  WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE`;

/** The tasks $1. */
export function tasksOf(manager: EntityManager): string {
  return `SELECT ${columnsSql(manager, TaskEntity, 'task')} FROM tasks task WHERE task.id = ANY($1::text[])`;
}

/** Lists of paths are sent as texts, because Postgres takes arrays of arrays only when all have the same length. */
const WRITE = `UPDATE tasks SET
    status = fresh.status, selected_agent_id = fresh.selected_agent_id, status_due_at = fresh.status_due_at,
    chain_status = fresh.chain_status, chain_agent_id = fresh.chain_agent_id,
    funded_roots = string_to_array(fresh.funded_roots, ' '),
    refundable = fresh.refundable, updated_at = fresh.updated_at, document = fresh.document
  FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::numeric[],
      $9::timestamptz[], $10::text[])
    AS fresh (id, status, selected_agent_id, status_due_at, chain_status, chain_agent_id, funded_roots, refundable,
      updated_at, document)
  WHERE tasks.id = fresh.id`;

/** Writes the columns of tasks that come from the chain, and the status and document that follow, in one statement. */
export async function writeChainFacts(manager: EntityManager, tasks: readonly TaskEntity[]): Promise<void> {
  if (tasks.length === 0) return;
  await runWithNext(manager, { text: WRITE }, [
    tasks.map(({ id }) => id),
    tasks.map(({ status }) => status),
    tasks.map(({ selectedAgentId }) => selectedAgentId),
    tasks.map(({ statusDueAt }) => statusDueAt),
    tasks.map(({ chainStatus }) => chainStatus),
    tasks.map(({ chainAgentId }) => chainAgentId),
    tasks.map(({ fundedRoots }) => fundedRoots.join(' ')),
    tasks.map(({ refundable }) => refundable.toString()),
    tasks.map(({ updatedAt }) => updatedAt),
    tasks.map(({ document }) => document),
  ]);
}

/** Takes the next index of a node of the task $1. */
export const TAKE_NODE_INDEX: PreparedStatement = {
  name: 'task-node-index',
  text: 'UPDATE tasks SET node_sequence = node_sequence + 1 WHERE id = $1 RETURNING node_sequence',
};

/** Whether all that happened on the chain until $2 to the task $1 is shown. */
export const KNOWN_UNTIL: PreparedStatement = {
  name: 'task-known-until',
  text: `SELECT ${INDEXED_TIME} >= $2::timestamptz AND ${isShown('$1')} AS "isKnown"`,
};
