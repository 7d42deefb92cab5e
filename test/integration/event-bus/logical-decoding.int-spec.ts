import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { newId } from '#libs/kernel';
import { entities } from '../../../src/entities.js';
import { migrations } from '../../../src/migrations.js';
import type { Audience, AnyRecordedEvent } from '../../../src/modules/events/catalogue/event.js';
import { EventSequencer } from '../../../src/modules/events/log/event-sequencer.js';
import { recordEvents } from '../../../src/modules/events/log/record-events.sql.js';
import { EventPartitions } from '../../../src/modules/events/retention/event-partitions.js';
import { dataSourceOptions } from '../../../src/platform/database/data-source.options.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { type DecodedRow, insertsOf } from './pgoutput.js';

const AT = new Date('2026-11-20T12:00:00.000Z');

/** A server of its own, because only one that is started with `wal_level=logical` decodes. */
let server: ChildProcessByStdio<Writable, Readable, null>;
let ended: Promise<void> | undefined;
let admin: pg.Client;
let dataSource: DataSource;
let transactions: Transactions;

beforeAll(async () => {
  server = spawn(process.execPath, ['test/integration/event-bus/logical-postgres.mjs'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  ended = new Promise((resolve) => server.once('exit', () => resolve()));
  const url = await urlOf(server);
  dataSource = await new DataSource(dataSourceOptions(url, { entities, migrations })).initialize();
  await dataSource.runMigrations();
  transactions = new Transactions(dataSource);
  admin = new pg.Client({ connectionString: url });
  await admin.connect();
});
afterAll(async () => {
  await admin?.end();
  await dataSource?.destroy();
  server?.stdin.end();
  await ended;
});

async function urlOf({ stdout }: typeof server): Promise<string> {
  for await (const line of createInterface({ input: stdout })) {
    const url = /^url (\S+)$/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('The server ended before it was ready');
}

/** Records an event in a transaction that ends when `until` does. Returns the id. */
async function record(audience: Audience, until: Promise<void> = Promise.resolve()): Promise<string> {
  const subject = { kind: 'agent', id: newId('agent', AT.getTime()) };
  const data = { updated_at: AT.toISOString() };
  const event = { type: 'agent.updated', at: AT, subject, audience, data } as unknown as AnyRecordedEvent;
  return transactions.run(async (manager) => {
    const [id] = await recordEvents(manager, [event]);
    await manager.query('SELECT 1');
    await until;
    return id!;
  });
}

async function sequence(): Promise<void> {
  while (await new EventSequencer(transactions).moveNext());
}

/** Rows that were inserted since the last call, in the order in which they are handed out. */
async function decoded(slot: string): Promise<DecodedRow[]> {
  const { rows } = await admin.query<{ data: Buffer }>(
    `SELECT data FROM pg_logical_slot_get_binary_changes($1, NULL, NULL, 'proto_version', '1', 'publication_names', $2)`,
    [slot, slot],
  );
  return insertsOf(rows.map(({ data }) => data));
}

it('the log and the outbox are decoded in the order of commits, without what was rolled back, under one name each', async () => {
  for (const statement of publicationsOfTheDocument()) await admin.query(statement);
  for (const slot of ['tasktree_log', 'tasktree_outbox']) {
    await admin.query(`SELECT pg_create_logical_replication_slot($1, 'pgoutput')`, [slot]);
  }
  // Partitions that are made later belong to it, too.
  await transactions.run((manager) => new EventPartitions(manager).prepare());

  let commit = (): void => undefined;
  const held = record(['acct_a'], new Promise((resolve) => (commit = resolve)));
  const refused = record('public', Promise.reject(new Error('rolled back')));
  await expect(refused).rejects.toThrow('rolled back');
  const second = await record(['acct_b', 'acct_c']);
  await sequence();
  commit();
  const first = await held;
  await sequence();
  const last = await record('public');
  await sequence();

  const outbox = await decoded('tasktree_outbox');
  expect(outbox.map(({ table, row }) => [table, row['event_id'], row['audience']])).toEqual([
    ['event_outbox', second, '{acct_b,acct_c}'],
    ['event_outbox', first, '{acct_a}'],
    ['event_outbox', last, '{public}'],
  ]);
  expect(JSON.parse(outbox[0]!.row['document']!)).toMatchObject({ id: second, type: 'agent.updated' });

  const log = await decoded('tasktree_log');
  const events = log.filter(({ table }) => table === 'events');
  expect(events.map(({ row }) => row['id'])).toEqual([second, first, last]);
  const sequences = events.map(({ row }) => Number(row['sequence']));
  expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
  const readers = log.filter(({ table }) => table === 'event_audience').map(({ row }) => row);
  const told = new Set(readers.map((row) => `${row['sequence']} ${row['account_id']}`));
  const [one, two, three] = sequences;
  expect(told).toEqual(new Set([`${one} acct_b`, `${one} acct_c`, `${two} acct_a`, `${three} public`]));
  expect(readers).toHaveLength(4);
  // Nothing but these two names: whoever reads need not know of partitions.
  expect(log).toHaveLength(events.length + readers.length);
  // Moving events to the log deletes them from the outbox, which nobody is told.
  expect(await decoded('tasktree_outbox')).toEqual([]);
});

/** The statements that docs/event-bus.md tells operators to run. */
function publicationsOfTheDocument(): string[] {
  const page = readFileSync('docs/event-bus.md', 'utf8');
  const [, text] = /<!-- used by a test: publications -->\s+```sql\n([^]*?)```/.exec(page) ?? [];
  if (text === undefined) throw new Error('docs/event-bus.md has no publications');
  return text.split(';').filter((statement) => statement.trim() !== '');
}
