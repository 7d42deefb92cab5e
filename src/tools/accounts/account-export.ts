import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { DataSource, EntityManager } from 'typeorm';
import type { PersonalTable } from '../../platform/database/personal-data.js';
import { OperatorServices } from '../operator-services.js';
import type { ToolResult } from '../operator-tool.js';
import { UsageError } from '../usage-error.js';
import { COLUMNS_OF, rowsOfAccount } from './account-export.sql.js';
import { PERSONAL_TABLES } from './personal-tables.js';

/** Kinds of columns whose numbers JSON would round. */
const LARGE_NUMBERS = ['numeric', 'bigint'];

/** Writes all that is stored about an account as lines of JSON, one per row: `{"table": …, "row": …}`. */
export class AccountExport {
  private readonly services: OperatorServices;

  constructor(
    dataSource: DataSource,
    private readonly output: Writable,
  ) {
    this.services = new OperatorServices(dataSource);
  }

  /**
   * @param file a new file, readable by its owner alone; null for the standard output.
   * @throws ApiError for an account that is not known, UsageError for a file that exists or cannot be made.
   */
  async export(nameOrId: string, file: string | null): Promise<ToolResult> {
    const { id: accountId } = await this.services.lookup.known(nameOrId);
    const output = file === null ? this.output : await newFile(file);
    // Recorded first, so that an export that is broken off is on record, too.
    const detail = { by: 'operator' };
    await this.services.audit.record({ event: 'account_exported', requestId: null, accountId, detail });
    const rows = await this.write(output, accountId);
    if (file === null) return { json: null, lines: [] };
    output.end();
    await finished(output);
    return { json: { account_id: accountId, file, rows }, lines: [`${rows} rows about ${accountId} are in ${file}.`] };
  }

  /** Writes all rows as they are at one moment. */
  private write(output: Writable, accountId: string): Promise<number> {
    return this.services.transactions.run(async (manager) => {
      await manager.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
      let written = 0;
      for (const own of PERSONAL_TABLES) {
        const rows = await rowsOf(manager, own, accountId);
        const text = rows.map((row) => `{"table":"${own.table}","row":${row}}\n`).join('');
        if (!output.write(text)) await once(output, 'drain');
        written += rows.length;
      }
      return written;
    });
  }
}

/** The rows as texts of JSON, without columns that hold a secret or something by which one is recognised. */
async function rowsOf(manager: EntityManager, { table, of, withheld = [] }: PersonalTable, accountId: string) {
  const columns = await manager.query<{ name: string; type: string }[]>(COLUMNS_OF, [table]);
  const shown = columns
    .filter(({ name }) => !withheld.includes(name))
    .map(({ name, type }) => (LARGE_NUMBERS.includes(type) ? `own.${name}::text AS ${name}` : `own.${name}`));
  const rows = await manager.query<{ row: string }[]>(rowsOfAccount(table, of, shown), [accountId]);
  return rows.map(({ row }) => row);
}

async function newFile(path: string): Promise<Writable> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  try {
    await once(file, 'open');
  } catch (error) {
    throw new UsageError(`${path} cannot be made: ${error instanceof Error ? error.message : String(error)}`);
  }
  return file;
}
