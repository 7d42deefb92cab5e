/**
 * SQL condition for who sees a task. Every authenticated account sees a public task that was published and that the
 * operator does not hide. Parties see it always: the buyer, and owners of agents that are invited, have quoted, or are
 * selected, hirer or worker.
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
