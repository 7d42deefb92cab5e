/** Most rows that one statement deletes. */
export const DELETED_AT_ONCE = 1000;

/**
 * SQL that deletes one batch of rows by primary key. Rows that a request or another process holds are left for the next
 * round.
 * @param where SQL that says which rows are over; $1 is the time that `deleteAll` is given.
 */
export function deleteBatch(
  table: string,
  key: string,
  where = 'expires_at <= $1',
  oldestFirst = 'expires_at',
): string {
  return `DELETE FROM ${table} WHERE (${key}) IN (
    SELECT ${key} FROM ${table} WHERE ${where}
    ORDER BY ${oldestFirst} LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED)`;
}
