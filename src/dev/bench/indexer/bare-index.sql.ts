/** Roles that come from the chain. */
export const CHAIN_ROLES = "('selected', 'hirer', 'worker')";

/** A column of a table. */
export interface Column {
  readonly name: string;
  readonly type: string;
}

/** Takes the roles away that come from the chain. */
export const DELETE_CHAIN_ROLES = `DELETE FROM task_parties WHERE role IN ${CHAIN_ROLES}`;

/** Makes all tasks drafts again. */
export const UNDO_TASKS = "UPDATE tasks SET status = 'draft', chain_status = NULL, chain_agent_id = NULL";

/** Makes all offers wait again. */
export const UNDO_QUOTES = "UPDATE quotes SET status = 'submitted'";

/** The columns of the table $1 that a statement may write. */
export const WRITTEN_COLUMNS = `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`;

/** Writes rows of a table again, from one array of texts a column. */
export function copySql(table: string, names: readonly string[], values: string, arrays: string): string {
  return `INSERT INTO ${table} (${names.join(', ')}) OVERRIDING SYSTEM VALUE
    SELECT ${values} FROM unnest(${arrays}) AS fresh (${names.join(', ')})`;
}

/** Writes some columns of rows again, from one array of texts a column. */
export function updateSql(table: string, sets: string, arrays: string, names: readonly string[]): string {
  return `UPDATE ${table} SET ${sets} FROM unnest(${arrays}) AS fresh (${names.join(', ')})
    WHERE ${table}.id = fresh.id`;
}

/** Reads rows of a table as texts. */
export function readSql(texts: string, table: string, where: string): string {
  return `SELECT ${texts} FROM ${table} WHERE ${where}`;
}
