/** Rows of a bare table before and behind those that are asked for, so that its index is one of some size. */
const OTHERS = 20_000;

/** A member of the rows of a list, as a column. */
export interface ListColumn {
  readonly name: string;
  readonly type: 'text' | 'text[]' | 'boolean' | 'integer' | 'double precision' | 'jsonb';
}

const quoted = (columns: readonly ListColumn[]): string => columns.map(({ name }) => `"${name}"`).join(', ');

/**
 * Statements that make a table with one column for each member of a list, filled from $1, its rows as a JSON array,
 * in their order. Further accounts have copies of the first row.
 */
export function bareTable(
  table: string,
  columns: readonly ListColumn[],
): readonly { text: string; hasRows: boolean }[] {
  const definition = columns.map(({ name, type }) => `"${name}" ${type}`).join(', ');
  const names = quoted(columns);
  const read = `SELECT row_number() OVER () AS place, made.* FROM json_to_recordset($1::json) AS made(${definition})`;
  return [
    { text: `CREATE TABLE ${table} (owner integer NOT NULL, place bigint NOT NULL, ${definition})`, hasRows: false },
    {
      text: `INSERT INTO ${table} (owner, place, ${names}) SELECT 0, place, ${names} FROM (${read}) rows`,
      hasRows: true,
    },
    {
      text: `INSERT INTO ${table} (owner, place, ${names}) SELECT 1 + i % 100, i, ${names}
        FROM generate_series(1, ${OTHERS}) i, (SELECT * FROM ${table} ORDER BY place LIMIT 1) made`,
      hasRows: false,
    },
    { text: `CREATE INDEX ${table}_idx ON ${table} (owner, place)`, hasRows: false },
    { text: `VACUUM (ANALYZE) ${table}`, hasRows: false },
  ];
}

/** One page of the bare table: $1 owner, $2 place to begin behind, $3 how many rows. */
export function barePage(table: string, columns: readonly ListColumn[]): string {
  return `SELECT ${quoted(columns)} FROM ${table} WHERE owner = $1 AND place > $2 ORDER BY place LIMIT $3`;
}
