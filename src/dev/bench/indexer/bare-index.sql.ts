/** Roles that come from the chain. */
export const CHAIN_ROLES = "('hirer', 'worker')";

/** Takes the roles away that come from the chain. */
export const DELETE_CHAIN_ROLES = `DELETE FROM task_parties WHERE role IN ${CHAIN_ROLES}`;

/** Makes all tasks drafts again. */
export const UNDO_TASKS = "UPDATE tasks SET status = 'draft', chain_status = NULL, chain_agent_id = NULL";

/** Makes all offers wait again. */
export const UNDO_QUOTES = "UPDATE quotes SET status = 'submitted'";

/** The columns of the table $1 that a statement may write. */
export const WRITTEN_COLUMNS = `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`;

/** Reads columns of rows in the binary format of COPY. */
export function copyOutSql(table: string, names: readonly string[], where: string): string {
  return `COPY (SELECT ${names.join(', ')} FROM ${table} WHERE ${where}) TO STDOUT (FORMAT binary)`;
}

/** Writes the same columns of rows of `table`. */
export function copyInSql(table: string, names: readonly string[]): string {
  return `COPY ${table} (${names.join(', ')}) FROM STDIN (FORMAT binary)`;
}

/** Makes a table for columns of rows of another. It lasts until the transaction ends. */
export function freshSql(table: string, names: readonly string[]): string {
  return `CREATE TEMP TABLE fresh_${table} ON COMMIT DROP AS SELECT ${names.join(', ')} FROM ${table} WITH NO DATA`;
}

/** Changes columns of the rows that are in the table that `freshSql` has made. */
export function updateSql(table: string, changed: readonly string[]): string {
  const sets = changed.map((name) => `${name} = fresh.${name}`).join(', ');
  return `UPDATE ${table} SET ${sets} FROM fresh_${table} AS fresh WHERE ${table}.id = fresh.id`;
}
