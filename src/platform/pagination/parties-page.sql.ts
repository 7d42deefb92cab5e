/** A position above all rows: time, then id. */
export const AFTER_ALL: readonly string[] = ['infinity', ''];

/** Records that their payer, the buyer of the tree and the worker may see (docs/decisions/interface.md#visibility). */
export interface PartiesTable {
  /** Has `id`, `task_id`, `created_at` and the three `…_account_id` columns; these and `task_id` each indexed with time and id. */
  name: string;
  /** Columns to select beside `id`, `task_id` and `created_at`. */
  columns: string;
}

/**
 * One page of the records an account may see, newest first: $1 account, $2 and $3 time and id to start below, $4 task
 * where filtered. What it pays for, what it buys and what it works on are three indexed branches of at most a page
 * each, merged without repeats, so a page costs the same however deep it lies. Records of one task are a single branch
 * by the task's index, because an account may have very many records and few of that task. The row count is part of the
 * text, where the planner sees it.
 */
export function partiesPage(
  { name, columns }: PartiesTable,
  rows: number,
  byTask: boolean,
): { name: string; text: string } {
  const branch = (which: string): string =>
    `(SELECT id, task_id, ${columns}, created_at FROM ${name}
      WHERE ${which} AND (created_at, id) < ($2::timestamptz, $3)
      ORDER BY created_at DESC, id DESC LIMIT ${rows})`;
  const own = ['payer', 'buyer', 'worker'].map((who) => branch(`${who}_account_id = $1`)).join(' UNION ');
  const ofTask = branch('task_id = $4 AND $1 IN (payer_account_id, buyer_account_id, worker_account_id)');
  return {
    name: `${name}${byTask ? '_of_task' : ''}_${rows}`,
    text: `SELECT id, task_id, ${columns},
        to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at
      FROM (${byTask ? ofTask : own}) AS visible
      ORDER BY visible.created_at DESC, id DESC LIMIT ${rows}`,
  };
}
