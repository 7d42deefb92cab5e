/**
 * SQL of the one of these rows that has this id, for LATERAL. OFFSET keeps it apart from the rest of the statement, so that
 * every plan looks up one row by the primary key, also one that was made while the table was empty.
 *
 * @param rows a SELECT from one table, without conditions.
 */
export function byKey(rows: string, id: string): string {
  return `(${rows} WHERE id = ${id} OFFSET 0)`;
}
