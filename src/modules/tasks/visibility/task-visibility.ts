/**
 * The one rule that decides who sees a task: everyone authenticated when it is public, was ever open and is not hidden
 * by the operator, else its parties (the buyer; owners of agents that are invited, have quoted, or are selected, hirer or worker).
 *
 * @param task alias of the tasks table in the statement.
 * @param account placeholder of the caller's account id.
 */
export function visibleTask(task: string, account: string): string {
  return `(${listedTask(task)} OR EXISTS (
    SELECT 1 FROM task_parties party WHERE party.account_id = ${account} AND party.task_id = ${task}.id))`;
}

/**
 * True for tasks everyone authenticated sees; the predicate of the partial indexes `tasks_listed_*`. Only a draft whose
 * creation nobody signed is ever `cancelled`.
 */
export function listedTask(task: string): string {
  return `(${task}.tier = 'public' AND ${task}.status NOT IN ('draft', 'cancelled')
    AND ${task}.hidden_at IS NULL)`;
}
