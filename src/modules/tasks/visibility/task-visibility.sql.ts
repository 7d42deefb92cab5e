import type { PreparedStatement } from '../../../platform/database/transactions.js';

/**
 * SQL condition for who sees a task. Every authenticated account sees a public task that was published and that the
 * operator does not hide. Parties see it always: the buyer, and owners of agents that are invited, have quoted, hire or
 * work.
 *
 * @param task alias of the tasks table in the statement.
 * @param account placeholder of the caller's account id.
 */
export function visibleTask(task: string, account: string): string {
  return `(${listedTask(task)} OR EXISTS (
    SELECT 1 FROM task_parties party WHERE party.account_id = ${account} AND party.task_id = ${task}.id))`;
}

/**
 * SQL condition for tasks that every authenticated account sees; the partial indexes `tasks_listed_*` have the same
 * one. `cancelled` tasks are excluded because only unsigned drafts get that status.
 */
export function listedTask(task: string): string {
  return `(${task}.tier = 'public' AND ${task}.status NOT IN ('draft', 'cancelled')
    AND ${task}.hidden_at IS NULL)`;
}

/** More columns to read in the same statement as the task, which saves a second query. */
export interface ReadWithTask {
  /** Part of the prepared statement's name; the same name must always have the same columns. */
  readonly name: string;
  /** SQL expressions with aliases. They may use the row `task`, the account $2 and the joined tables. */
  readonly columns: string;
  /** A join that does not change the number of rows. */
  readonly join: string;
}

/**
 * The task $1, if the account $2 may see it.
 * @param columns of the row `task`.
 */
export function taskSeen(columns: string, extra?: ReadWithTask): PreparedStatement {
  const where = `WHERE task.id = $1 AND ${visibleTask('task', '$2')}`;
  if (extra === undefined) return { name: 'task_visible', text: `SELECT ${columns} FROM tasks task ${where}` };
  return {
    name: `task_visible_${extra.name}`,
    text: `SELECT ${columns}, ${extra.columns} FROM tasks task ${extra.join} ${where}`,
  };
}

/**
 * Makes the accounts $3 parties of the task $1 with the role $2. Existing parties are filtered out: ON CONFLICT alone
 * would still lock the task's row.
 */
export const ADMIT_PARTIES: PreparedStatement = {
  name: 'task-parties-admit',
  text: `INSERT INTO task_parties (account_id, task_id, role)
        SELECT account_id, $1, $2 FROM unnest($3::text[]) AS wanted (account_id)
        WHERE NOT EXISTS (SELECT FROM task_parties party
          WHERE party.account_id = wanted.account_id AND party.task_id = $1 AND party.role = $2)
        ON CONFLICT DO NOTHING`,
};

/** The accounts that are parties of the tasks $1, with the ids of these tasks. */
export const PARTIES_OF: PreparedStatement = {
  name: 'task-parties-of',
  text: `SELECT task_id AS "taskId", array_agg(DISTINCT account_id) AS "accountIds" FROM task_parties
    WHERE task_id = ANY($1::text[]) GROUP BY task_id`,
};
