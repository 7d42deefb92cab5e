/** Events that are read at once. */
export const PAGE = 1_000;

/** The next events of a month after the id $1. */
export function pageOfMonth(table: string): string {
  return `SELECT * FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${PAGE}`;
}

/** Counts the events of a month. */
export function countMonth(table: string): string {
  return `SELECT count(*)::integer AS events FROM ${table}`;
}

/** Drops the table of a month. */
export function dropMonth(table: string): string {
  return `DROP TABLE ${table}`;
}
