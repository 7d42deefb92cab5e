import type { EntityManager } from 'typeorm';
import { columnsSql } from '../../../platform/database/entity-rows.js';
import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { TaskEntity } from './task.entity.js';

/**
 * Locks and reads the tasks whose status time has changed; tasks that another transaction has locked are passed over.
 * Placeholders: now, how many rows.
 */
export function dueTasks(manager: EntityManager): PreparedStatement {
  return {
    name: 'tasks-status-due',
    text: `SELECT ${columnsSql(manager, TaskEntity, 'task')} FROM tasks task WHERE task.status_due_at <= $1
      ORDER BY task.status_due_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
  };
}

/**
 * Writes the new statuses of many tasks. Placeholders: lists of the ids, statuses, chosen agents, times of the next change
 * and documents, in the same order; now.
 */
export const SAVE_STATUSES: PreparedStatement = {
  name: 'tasks-status-save',
  text: `UPDATE tasks task SET status = own.status, selected_agent_id = own.selected_agent_id,
      status_due_at = own.status_due_at, document = own.document, updated_at = $6
    FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[])
      AS own (id, status, selected_agent_id, status_due_at, document)
    WHERE task.id = own.id`,
};
