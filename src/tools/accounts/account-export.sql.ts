/** The columns of the table $1 with their types. Those of bytes hold a secret or something by which one is recognised. */
export const COLUMNS_OF = `SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND data_type <> 'bytea' ORDER BY ordinal_position`;

/**
 * The rows of the account $1 as texts of JSON.
 * @param of SQL condition for the account's rows.
 * @param shown the columns, from the row `own`.
 */
export function rowsOfAccount(table: string, of: string, shown: readonly string[]): string {
  return `SELECT to_json(shown)::text AS row FROM (SELECT ${shown.join(', ')} FROM ${table} own WHERE ${of} ORDER BY 1) shown`;
}
