import type { EntityManager } from 'typeorm';
import { type PreparedStatement, runWithNext } from './transactions.js';

/** SQL types that a column of a replaced table may have; `words` is a `text[]` whose entries contain no space. */
type ColumnType = 'text' | 'integer' | 'numeric' | 'boolean' | 'timestamptz' | 'words';
type Value = string | number | bigint | boolean | Date | readonly string[] | null;

/** One column: its SQL type, and its value in a row. */
export interface ReplacedColumn<Row> {
  readonly type: ColumnType;
  readonly of: (row: Row) => Value;
}

interface ReplacedTable<Row> {
  readonly table: string;
  /** Columns that tell one row from another; `task_id` need not be one of them. */
  readonly key: readonly string[];
  /** Every column that is written, by name; keys and `task_id` too. */
  readonly columns: Readonly<Record<string, ReplacedColumn<Row>>> & { readonly task_id: ReplacedColumn<Row> };
  /** SQL condition on `kept`: which rows of a task are replaced; absent: all. */
  readonly only?: string;
}

/** Rows that one statement writes: what it binds, sorts and locks stays small, however large a tree is. */
const ROWS_AT_ONCE = 2_000;
/** Up to this many rows, the statements wait for the transaction's next one, and are sent with it. */
const HELD_ROWS = 500;

/**
 * Makes the rows of some tasks in one table equal to what is given, and does not write rows that are equal already.
 * Rows travel as one array a column, so that neither their number nor that of the tasks meets a limit of the protocol.
 */
export class ReplacedRows<Row> {
  private readonly names: readonly string[];
  private readonly columns: readonly ReplacedColumn<Row>[];
  private readonly deletion: string;
  private readonly insertion: string;
  private readonly addition: PreparedStatement;

  constructor(private readonly own: ReplacedTable<Row>) {
    this.names = Object.keys(own.columns);
    this.columns = Object.values(own.columns);
    this.deletion = this.deletionSql();
    this.insertion = this.insertionSql();
    this.addition = { name: `rows-added-${own.table}`, text: this.additionSql() };
  }

  /**
   * The caller must keep other writers of these tasks out. Rows that stay are updated in place: a reader that waits for
   * a row's lock must find it again. With few rows, an error appears only at the transaction's next statement.
   * @param taskIds every task that has rows already; those without one in `rows` keep none.
   */
  async replace(manager: EntityManager, taskIds: readonly string[], rows: readonly Row[]): Promise<void> {
    const run = rows.length <= HELD_ROWS ? runWithNext : runAtOnce;
    // Planned each time: a plan that was made while the table was small would read all of it for ever after.
    const keys = this.own.key.map((name) => this.valuesOf(name, rows));
    if (taskIds.length > 0) await run(manager, { text: this.deletion }, [[...taskIds], ...keys]);
    const known = new Set<unknown>(taskIds);
    const isKnown = (row: Row): boolean => known.has(this.own.columns.task_id.of(row));
    const write = async (statement: Statement, written: readonly Row[]): Promise<void> => {
      for (let from = 0; from < written.length; from += ROWS_AT_ONCE) {
        const some = written.slice(from, from + ROWS_AT_ONCE);
        const columns = this.names.map((name) => this.valuesOf(name, some));
        await run(manager, statement, columns);
      }
    };
    await write({ text: this.insertion }, rows.filter(isKnown));
    // Nothing is there to be compared with. It reads no table, so that one plan serves for good.
    await write(
      this.addition,
      rows.filter((row) => !isKnown(row)),
    );
  }

  private valuesOf(name: string, rows: readonly Row[]): unknown[] {
    const column = this.own.columns[name];
    if (!column) throw new TypeError(`No column ${name}`);
    return rows.map((row) => bound(column.of(row)));
  }

  private deletionSql(): string {
    const { table, key, only, columns } = this.own;
    const arrays = key.map((name, at) => `$${at + 2}::${boundType(columns[name])}[]`).join(', ');
    const same = key.map((name) => `fresh.${name} = kept.${name}`).join(' AND ');
    return `DELETE FROM ${table} kept WHERE kept.task_id = ANY($1::text[])${only === undefined ? '' : ` AND ${only}`}
      AND NOT EXISTS (SELECT 1 FROM unnest(${arrays}) AS fresh (${key.join(', ')}) WHERE ${same})`;
  }

  private insertionSql(): string {
    const { table, key } = this.own;
    const others = this.others();
    const same = key.map((name) => `kept.${name} = fresh.${name}`).join(' AND ');
    const of = (alias: string): string => `(${others.map((name) => `${alias}.${name}`).join(', ')})`;
    const differs = others.length === 0 ? '' : ` AND ${of('kept')} IS NOT DISTINCT FROM ${of('fresh')}`;
    return `INSERT INTO ${table} (${this.names.join(', ')})
      SELECT ${this.names.join(', ')} FROM (${this.boundSql()}) AS fresh
      WHERE NOT EXISTS (SELECT 1 FROM ${table} kept WHERE ${same}${differs})
      ${this.conflictSql()}`;
  }

  private additionSql(): string {
    return `INSERT INTO ${this.own.table} (${this.names.join(', ')}) ${this.boundSql()} ${this.conflictSql()}`;
  }

  private boundSql(): string {
    const arrays = this.columns.map((column, at) => `$${at + 1}::${boundType(column)}[]`).join(', ');
    const values = this.names.map((name, at) => readSql(name, this.columns[at])).join(', ');
    return `SELECT ${values} FROM unnest(${arrays}) AS bound (${this.names.join(', ')})`;
  }

  private conflictSql(): string {
    const change = this.others().map((name) => `${name} = EXCLUDED.${name}`);
    return `ON CONFLICT (${this.own.key.join(', ')}) DO ${change.length === 0 ? 'NOTHING' : `UPDATE SET ${change.join(', ')}`}`;
  }

  private others(): string[] {
    return this.names.filter((name) => !this.own.key.includes(name));
  }
}

type Statement = Parameters<typeof runWithNext>[1];

async function runAtOnce(manager: EntityManager, { text }: { text: string }, values: unknown[]): Promise<void> {
  await manager.query(text, values);
}

function bound(value: Value): unknown {
  if (typeof value === 'bigint') return value.toString();
  return Array.isArray(value) ? value.join(' ') : value;
}

/** Arrays of arrays would have to be of one length: lists travel as texts. */
function boundType(column: ReplacedColumn<never> | undefined): string {
  return column === undefined || column.type === 'words' ? 'text' : column.type;
}

function readSql(name: string, column: ReplacedColumn<never> | undefined): string {
  return column?.type === 'words' ? `string_to_array(${name}, ' ') AS ${name}` : name;
}
