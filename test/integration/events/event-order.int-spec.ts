import { randomInt } from 'node:crypto';
import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { entities } from '../../../src/entities.js';
import { EventSequencer } from '../../../src/modules/events/log/event-sequencer.js';
import { WAITING } from '../../../src/modules/events/log/event-sequencer.sql.js';
import { recordEvents } from '../../../src/modules/events/log/record-events.sql.js';
import { dataSourceOptions } from '../../../src/platform/database/data-source.options.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { Random } from '../../support/random.js';

/** `EVENT_TRANSACTIONS=100000 npm run test:event-order` takes minutes; the default as long as a spec may. */
const TRANSACTIONS = Number(process.env.EVENT_TRANSACTIONS ?? 6_000);
const SEED = Number(process.env.EVENT_SEED ?? randomInt(2 ** 31));
const WRITERS = 16;
const SEQUENCERS = 3;
const SUBJECTS = 40;
const SEQUENCER_NAME = 'killable-sequencer';

jest.setTimeout(60_000 + TRANSACTIONS * 20);

let dataSource: DataSource;
let url: string;
let admin: pg.Client;
const random = new Random(SEED);

beforeAll(async () => {
  ({ url, dataSource } = await createMigratedDatabase());
  admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`CREATE TABLE subjects (id text PRIMARY KEY, version integer NOT NULL DEFAULT 0)`);
  await admin.query(`INSERT INTO subjects SELECT 'agent_' || n FROM generate_series(1, ${SUBJECTS}) n`);
});
afterAll(async () => {
  await admin?.end();
  await dataSource?.destroy();
});

/** What a transaction does; decided before it begins, so that a seed always gives the same workload. */
interface Plan {
  readonly subjects: readonly string[];
  readonly pausesMs: readonly number[];
  readonly isUndone: boolean;
}

function plan(): Plan {
  const count = random.weighted({ 1: 6, 2: 3, 4: 1 });
  const subjects = new Set(Array.from({ length: Number(count) }, () => `agent_${random.between(1, SUBJECTS)}`));
  const length = (): number =>
    random.chance(0.01) ? random.between(20, 60) : random.chance(0.2) ? random.between(0, 4) : -1;
  // Always in the same order, because transactions that lock each other's subjects crosswise would be ended.
  return {
    subjects: [...subjects].sort(),
    pausesMs: Array.from({ length: 5 }, length),
    isUndone: random.chance(0.1),
  };
}

class Undone extends Error {}

/** Changes each subject of the plan and records the change, as producers do: lock, write, record. */
async function carryOut(transactions: Transactions, { subjects, pausesMs, isUndone }: Plan): Promise<number> {
  const wait = async (place: number): Promise<void> => {
    const ms = pausesMs[place] ?? -1;
    if (ms >= 0) await pause(ms);
  };
  try {
    await transactions.run(async (manager) => {
      for (const [place, id] of subjects.entries()) {
        const version = await change(manager, id);
        await wait(place);
        await record(manager, id, version);
      }
      await wait(4);
      if (isUndone) throw new Undone();
    });
    return subjects.length;
  } catch (error) {
    if (error instanceof Undone) return 0;
    throw error;
  }
}

async function change(manager: EntityManager, id: string): Promise<number> {
  const sql = 'UPDATE subjects SET version = version + 1 WHERE id = $1 RETURNING version';
  const [rows] = await manager.query<[{ version: number }[]]>(sql, [id]);
  return rows[0]!.version;
}

function record(manager: EntityManager, id: string, version: number): Promise<string[]> {
  const at = new Date();
  return recordEvents(manager, [
    {
      type: 'agent.updated',
      at,
      subject: { kind: 'agent', id },
      audience: ['acct_a', `acct_${id}`],
      data: { changed: [String(version)], updated_at: at.toISOString() },
    },
  ]);
}

/** The database as one more process sees it. */
async function connect(): Promise<DataSource> {
  const options = dataSourceOptions(url, { entities, migrations: [] }, 2);
  Object.assign(options.extra as object, { application_name: SEQUENCER_NAME });
  const own = new DataSource(options);
  return own.initialize();
}

/** A sequencer with connections of its own, which goes on when these are cut. */
async function sequence(own: DataSource, signal: AbortSignal): Promise<void> {
  const sequencer = new EventSequencer(new Transactions(own));
  while (!signal.aborted) {
    const hasMore = await turn(own, sequencer).catch(() => false);
    if (!hasMore) await pause(3);
  }
  await own.destroy();
}

/** As a round of the service: looks, and moves what there is. */
async function turn(own: DataSource, sequencer: EventSequencer): Promise<boolean> {
  const waiting = await own.query<unknown[]>(WAITING.text);
  return waiting.length > 0 && sequencer.moveNext();
}

/** Cuts the connections of all sequencers at random moments. Returns how many it has cut. */
async function kill(signal: AbortSignal): Promise<number> {
  let killed = 0;
  while (!signal.aborted) {
    await pause(random.between(20, 250));
    const { rowCount } = await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()`,
      [SEQUENCER_NAME],
    );
    killed += rowCount ?? 0;
  }
  return killed;
}

async function number(sql: string): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(sql);
  return rows[0]!.n;
}

it(`the log loses, doubles and reorders nothing, whatever commits when and whichever sequencer dies (seed ${SEED})`, async () => {
  const ending = new AbortController();
  const written = new AbortController();
  const held = new pg.Client({ connectionString: url });
  await held.connect();
  await held.query('BEGIN');
  // Takes a lower number than all others, and commits after half of them.
  await held.query(
    `INSERT INTO event_outbox (event_id, type, audience, document) VALUES ('evt_held', 'agent.updated', '{acct_a}', '{}')`,
  );
  /** Number of events that were in the log while the first transaction was open. */
  let before = 0;
  const commitHeld = async (): Promise<void> => {
    before = await number('SELECT count(*)::integer AS n FROM events');
    await held.query('COMMIT');
    await held.end();
  };
  const connected = await Promise.all(Array.from({ length: SEQUENCERS }, connect));
  const sequencers = connected.map((own) => sequence(own, ending.signal));
  const killing = kill(written.signal);
  // Awaited at the end; an error before that is not to be an unhandled one.
  killing.catch(() => undefined);
  const began = performance.now();

  const transactions = new Transactions(dataSource);
  const plans = Array.from({ length: TRANSACTIONS }, plan);
  let recorded = 0;
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      for (let next = plans.pop(); next !== undefined; next = plans.pop()) {
        if (plans.length === Math.floor(TRANSACTIONS / 2)) await commitHeld();
        const count = await carryOut(transactions, next);
        recorded += count;
      }
    }),
  );

  // On a busy machine no sequencer would ever end a batch between two cuts, and how fast they are is not asked here.
  written.abort();
  const killed = await killing;
  await eventually(async () => {
    // Each count reads the whole log.
    await pause(200);
    return (await number('SELECT count(*)::integer AS n FROM events')) === recorded + 1;
  });
  ending.abort();
  await Promise.all(sequencers);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  writeSync(1, `  ${recorded} events, ${killed} connections of sequencers cut, ${seconds} s, EVENT_SEED=${SEED}\n`);
  expect(killed).toBeGreaterThan(0);

  const { rows } = await admin.query<{ id: string; document: string; sequence: string }>(
    'SELECT id, document, sequence FROM events ORDER BY sequence',
  );
  // It holds nobody up, and has its place by its commit and not by its number.
  expect(before).toBeGreaterThan(0);
  expect(rows.findIndex(({ id }) => id === 'evt_held')).toBeGreaterThanOrEqual(before);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(recorded + 1);
  const versions = new Map<string, number>();
  const outOfOrder = rows.flatMap(({ id, document }) => {
    if (id === 'evt_held') return [];
    const { subject, data } = JSON.parse(document) as { subject: { id: string }; data: { changed: [string] } };
    const before = versions.get(subject.id) ?? 0;
    versions.set(subject.id, Number(data.changed[0]));
    return Number(data.changed[0]) === before + 1 ? [] : [`${subject.id}: ${data.changed[0]} after ${before}`];
  });
  expect(outOfOrder).toEqual([]);
  const { rows: subjects } = await admin.query<{ id: string; version: number }>('SELECT id, version FROM subjects');
  expect(versions).toEqual(
    new Map(subjects.filter(({ version }) => version > 0).map(({ id, version }) => [id, version])),
  );

  expect(await number('SELECT count(*)::integer AS n FROM event_outbox')).toBe(0);
  expect(await number('SELECT count(*)::integer AS n FROM event_audience')).toBe(2 * recorded + 1);
  expect(await number('SELECT (last = (SELECT max(sequence) FROM events))::integer AS n FROM event_head')).toBe(1);
});
