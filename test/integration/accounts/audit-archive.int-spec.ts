import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { DataSource } from 'typeorm';
import { newId } from '../../../libs/kernel/src/index.js';
import { AuditLog } from '../../../src/modules/accounts/audit/audit-log.js';
import { AuditPartitions } from '../../../src/modules/accounts/audit/audit-partitions.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { AuditArchive } from '../../../src/tools/audit/audit-archive.js';
import { parseAuditArguments } from '../../../src/tools/audit/audit-arguments.js';
import { createMigratedDatabase } from '../../support/database.js';

const EVENTS = 1_500;
const TABLE = 'audit_events_2024_01';
const FILE = `${TABLE}.ndjson.gz`;

let dataSource: DataSource;
let folder: string;
beforeEach(async () => {
  ({ dataSource } = await createMigratedDatabase());
  folder = mkdtempSync(join(tmpdir(), 'audit-archive-'));
  for (const moment of [new Date('2024-01-31T12:00:00Z'), new Date()]) await insert(moment, 1);
  await dataSource.transaction((manager) => new AuditPartitions(manager).prepare(new Date()));
  await insert(new Date('2024-01-02T12:00:00Z'), EVENTS - 1);
});
afterEach(async () => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
  await dataSource?.destroy();
});

async function insert(moment: Date, events: number): Promise<void> {
  const ids = Array.from({ length: events }, () => newId('audit', moment.getTime()));
  await dataSource.query(
    `INSERT INTO audit_events (id, occurred_at, event, account_id, detail)
     SELECT id, $2, 'wallet_linked', 'acct_a', '{"text": "line\\nend — 翻訳"}' FROM unnest($1::text[]) id`,
    [ids, moment],
  );
}

const archive = (to = folder) => new AuditArchive(dataSource, new Environment()).run({ name: 'archive', folder: to });
const count = async (from: string): Promise<number> =>
  (await dataSource.query<{ n: number }[]>(`SELECT count(*)::int AS n FROM ${from}`))[0]!.n;
const lines = () =>
  gunzipSync(readFileSync(join(folder, FILE)))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { event_id: string });

/**
 * Expects a complete file with the right checksum, a dropped table, an audit event that says so, and all later events
 * still there.
 */
async function expectArchived(): Promise<void> {
  expect(lines()).toHaveLength(EVENTS);
  const sha256 = createHash('sha256')
    .update(readFileSync(join(folder, FILE)))
    .digest('hex');
  expect(readFileSync(join(folder, `${FILE}.sha256`), 'utf8')).toBe(`${sha256}  ${FILE}\n`);
  expect(readdirSync(folder).toSorted()).toEqual([FILE, `${FILE}.sha256`]);
  const [entry] = await dataSource.query("SELECT detail FROM audit_events WHERE event = 'audit_archived'");
  expect(entry.detail).toEqual({ by: 'operator', month: TABLE, events: EVENTS, sha256 });
  const [table] = await dataSource.query('SELECT to_regclass($1) AS name', [TABLE]);
  expect(table.name).toBeNull();
  expect(await count("audit_events WHERE event = 'wallet_linked'")).toBe(1);
}

it('puts an old month into a file, oldest first, and drops its table', async () => {
  const ids = await dataSource.query<{ id: string }[]>(
    "SELECT id FROM audit_events WHERE occurred_at < '2024-02-01' ORDER BY id",
  );
  const { json } = await archive();
  expect(json).toEqual({ archived: [expect.objectContaining({ events: EVENTS, file: join(folder, FILE) })] });
  await expectArchived();
  expect(lines().map(({ event_id: id }) => id)).toEqual(ids.map(({ id }) => id));
  expect((await archive()).lines).toEqual(['No month is over.']);
});

it('that dies between the file and the table loses nothing, and the next run ends it', async () => {
  jest.spyOn(AuditLog.prototype, 'record').mockRejectedValueOnce(new Error('the power went'));
  await expect(archive()).rejects.toThrow('the power went');
  expect(await count(TABLE)).toBe(EVENTS);
  await archive();
  await expectArchived();
});

it('that died while it wrote begins the file anew', async () => {
  writeFileSync(join(folder, `${FILE}.part`), 'half of a file');
  writeFileSync(join(folder, FILE), 'a file of no use');
  await archive();
  await expectArchived();
});

it('refuses a folder that is not there, and leaves the events', async () => {
  const missing = join(folder, 'missing');
  await expect(archive(missing)).rejects.toThrow('cannot be written');
  expect([await count(TABLE), existsSync(missing)]).toEqual([EVENTS, false]);
});

it('keeps the table when the file does not have all of its rows', async () => {
  const query = jest.spyOn(Object.getPrototypeOf(dataSource.manager) as typeof dataSource.manager, 'query');
  query.mockImplementation(async function (this: typeof dataSource.manager, text: string, values?: unknown[]) {
    const rows = await this.dataSource.query(text, values, this.queryRunner);
    return text.startsWith(`SELECT * FROM ${TABLE}`) ? rows.slice(1) : rows;
  } as never);
  await expect(archive()).rejects.toThrow(`${TABLE} stays`);
  query.mockRestore();
  expect(await count(TABLE)).toBe(EVENTS);
});

it('is called with a folder, and with nothing else', () => {
  expect(parseAuditArguments(['archive', '--to', 'there', '--json'])).toMatchObject({
    command: { name: 'archive', folder: 'there' },
    json: true,
  });
  expect(() => parseAuditArguments(['archive'])).toThrow('--to is missing');
  expect(() => parseAuditArguments(['archive', '--to', 'there', '--after', 'x'])).toThrow();
  expect(() => parseAuditArguments(['export', '--to', 'there'])).toThrow();
});
