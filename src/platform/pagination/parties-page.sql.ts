import type { RenderedPageRow } from './rendered-page.sql.js';

/** A position above all rows: time, then id. */
export const AFTER_ALL: readonly string[] = ['infinity', ''];

/** Where a record stands in its list. */
export const RECORD_POSITION = { created_at: 'time', id: 'text' } as const;

/** A rendered page of records. */
export type RecordPageRow = RenderedPageRow<keyof typeof RECORD_POSITION>;

/** Records that their payer, the buyer of the tree and the worker may see (docs/decisions/interface.md#visibility). */
export interface PartiesTable {
  /** Has `id`, `task_id`, `document`, `created_at` and the three `…_account_id` columns; these and `task_id` each indexed with time and id. */
  name: string;
  /** Columns to select beside `id`, `document` and `created_at`, each with a comma behind it. */
  columns: string;
}

/**
 * The rows of one page of the records an account may see, newest first, and one more: $1 account, $2 and $3 time and id to start below, $4 task
 * where filtered. What it pays for, what it buys and what it works on are three indexed branches of at most a page
 * each, merged without repeats, so a page costs the same however deep it lies. Records of one task are a single branch
 * by the task's index, because an account may have very many records and few of that task. The row count is part of the
 * text, where the planner sees it.
 */
export function partiesPage(
  { name, columns }: PartiesTable,
  limit: number,
  byTask: boolean,
): { name: string; text: string } {
  const branch = (which: string): string =>
    `(SELECT id, document, ${columns} created_at FROM ${name}
      WHERE ${which} AND (created_at, id) < ($2::timestamptz, $3)
      ORDER BY created_at DESC, id DESC LIMIT ${limit + 1})`;
  const own = ['payer', 'buyer', 'worker'].map((who) => branch(`${who}_account_id = $1`)).join(' UNION ALL ');
  const ofTask = branch('task_id = $4 AND $1 IN (payer_account_id, buyer_account_id, worker_account_id)');
  return {
    name: `${name}${byTask ? '_of_task' : ''}_${limit}`,
    // By the key alone: to compare whole rows would cost more than to read them.
    text: byTask
      ? ofTask
      : `SELECT DISTINCT ON (created_at, id) * FROM (${own}) AS visible ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}`,
  };
}
