/**
 * SQL that deletes the tasks that meet `condition`, with the rows that refer to them by foreign keys; `RETURNING` may
 * follow. For the modules that import this one and know when a task can no longer be paid.
 */
export function deleteTasks(condition: string): string {
  return `DELETE FROM tasks WHERE ${condition}`;
}

/**
 * SQL that deletes the role of accounts in tasks for which they made an offer.
 * @param who name of a table of the surrounding statement with the columns `task_id` and `worker_account_id`.
 * @param condition SQL of a further condition; it may name `who`.
 */
export function forgetBidders(who: string, condition: string): string {
  return `DELETE FROM task_parties party USING ${who}
    WHERE party.task_id = ${who}.task_id AND party.account_id = ${who}.worker_account_id AND party.role = 'quoted'
      AND ${condition}`;
}

/** The address of a task's escrow. @param taskId SQL of the task's id. */
export function escrowAddressOf(taskId: string): string {
  return `(SELECT escrow_address FROM tasks WHERE id = ${taskId})`;
}

/**
 * The ids of the tasks that an account is a party of, to compare an id with by `=`: whoever pays or works in a node is one,
 * so that nodes and what follows from them are found by their task. An array is made first, whatever the planner knows of
 * the tables; a subquery it may look up in for each row of the other table.
 * @param account placeholder of the account's id.
 */
export function tasksOfParty(account: string): string {
  return `ANY (ARRAY(SELECT party.task_id FROM task_parties party WHERE party.account_id = ${account}))`;
}
