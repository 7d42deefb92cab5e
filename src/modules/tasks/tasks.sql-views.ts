/**
 * Deletes the tasks that `condition` says, with what hangs on them by foreign keys; `RETURNING` may follow. For statements
 * of modules above that know when nothing can come of a task any more.
 */
export function deleteTasks(condition: string): string {
  return `DELETE FROM tasks WHERE ${condition}`;
}

/**
 * Takes back that accounts are parties to tasks for having made an offer.
 * @param who rows with `task_id` and `worker_account_id`: a name of the statement that this is a part of.
 * @param condition says of which of them, and may use the names of `who`.
 */
export function forgetBidders(who: string, condition: string): string {
  return `DELETE FROM task_parties party USING ${who}
    WHERE party.task_id = ${who}.task_id AND party.account_id = ${who}.worker_account_id AND party.role = 'quoted'
      AND ${condition}`;
}
