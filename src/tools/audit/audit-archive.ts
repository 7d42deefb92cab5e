import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { types } from 'node:util';
import { createGunzip, createGzip } from 'node:zlib';
import type { DataSource } from 'typeorm';
import { AuditEventEntity } from '../../modules/accounts/audit/audit-event.entity.js';
import { AuditPartitions } from '../../modules/accounts/audit/audit-partitions.js';
import type { Environment } from '../../platform/config/environment.js';
import { entityOf } from '../../platform/database/entity-rows.js';
import { eventJson } from '../clients/clients-output.js';
import { OperatorServices } from '../operator-services.js';
import type { ToolResult } from '../operator-tool.js';
import { UsageError } from '../usage-error.js';
import { countMonth, dropMonth, PAGE, pageOfMonth } from './audit-archive.sql.js';
import type { ArchiveCommand } from './audit-arguments.js';

const DAY_MS = 86_400_000;

/** A month in a file. */
interface Archived {
  file: string;
  events: number;
  sha256: string;
}

/**
 * Puts the months that are older than the retention into files, and drops their tables. A table is dropped last, in the
 * transaction that records its archive, and only when its file was read back whole. If the command ends before that,
 * the table stays, and the next run writes the file anew.
 */
export class AuditArchive {
  private readonly services: OperatorServices;

  constructor(
    dataSource: DataSource,
    private readonly environment: Environment,
  ) {
    this.services = new OperatorServices(dataSource);
  }

  /** @throws UsageError for a folder that cannot be written to. */
  async run({ folder }: ArchiveCommand): Promise<ToolResult> {
    const { transactions, clock } = this.services;
    const before = new Date(clock.wallMs() - this.environment.auditRetentionDays * DAY_MS);
    await transactions.run((manager) => new AuditPartitions(manager).detachOver(before));
    const tables = await transactions.run((manager) => new AuditPartitions(manager).detached());
    const done: Archived[] = [];
    for (const table of tables) done.push(await this.archive(table, folder));
    const lines = done.map(({ file, events }) => `${events} events are in ${file}.`);
    return { json: { archived: done }, lines: lines.length === 0 ? ['No month is over.'] : lines };
  }

  private async archive(table: string, folder: string): Promise<Archived> {
    const file = join(folder, `${table}.ndjson.gz`);
    const sha256 = await this.write(table, file);
    const events = await linesOf(file);
    await replaceFile(`${file}.sha256`, `${sha256}  ${basename(file)}\n`);
    if ((await sha256Of(file)) !== sha256) throw new Error(`${file} is not what was written; ${table} stays.`);
    await this.drop(table, { file, events, sha256 });
    return { file, events, sha256 };
  }

  /** Writes the file and returns its SHA-256. It gets its name only once all of it is on the disk. */
  private async write(table: string, file: string): Promise<string> {
    const part = `${file}.part`;
    try {
      await pipeline(Readable.from(this.lines(table)), createGzip(), createWriteStream(part, { mode: 0o600 }));
    } catch (error) {
      if (types.isNativeError(error) && 'code' in error && 'path' in error) {
        throw new UsageError(`${part} cannot be written: ${error.message}`);
      }
      throw error;
    }
    const sha256 = await sha256Of(part);
    await toDisk(part);
    await rename(part, file);
    await toDisk(dirname(file));
    return sha256;
  }

  private async *lines(table: string): AsyncGenerator<string> {
    const { manager } = this.services.transactions;
    const page = pageOfMonth(table);
    for (let behind = '', read = PAGE; read === PAGE;) {
      const rows = await manager.query<Record<string, unknown>[]>(page, [behind]);
      const events = rows.map((row) => entityOf(manager, AuditEventEntity, row));
      yield events.map((event) => `${JSON.stringify(eventJson(event))}\n`).join('');
      behind = events.at(-1)?.id ?? behind;
      read = events.length;
    }
  }

  /** @throws Error, and leaves the table, when the file does not have its rows. */
  private async drop(table: string, { file, events, sha256 }: Archived): Promise<void> {
    await this.services.transactions.run(async (manager) => {
      const [row] = await manager.query<{ events: number }[]>(countMonth(table));
      if (row?.events !== events)
        throw new Error(`${file} has ${events} of ${row?.events ?? 0} events; ${table} stays.`);
      const detail = { by: 'operator', month: table, events, sha256 };
      await this.services.audit.record({ event: 'audit_archived', requestId: null, detail });
      await manager.query(dropMonth(table));
    });
  }
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** How many lines the file has, each of them a whole JSON document. */
async function linesOf(file: string): Promise<number> {
  let lines = 0;
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) {
    JSON.parse(line);
    lines += 1;
  }
  return lines;
}

async function replaceFile(file: string, text: string): Promise<void> {
  await writeFile(`${file}.part`, text, { mode: 0o600 });
  await toDisk(`${file}.part`);
  await rename(`${file}.part`, file);
  await toDisk(dirname(file));
}

async function toDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
