import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { AnyRecordedEvent } from '../../../src/modules/events/catalogue/event.js';
import { EventPartitions } from '../../../src/modules/events/retention/event-partitions.js';
import { EventSequencer } from '../../../src/modules/events/log/event-sequencer.js';
import { EVENTS_CHANNEL } from '../../../src/modules/events/log/event-sequencer.sql.js';
import { recordEvents } from '../../../src/modules/events/log/record-events.sql.js';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { ListeningService } from '../../support/listening-service.js';
import type { DataSource } from 'typeorm';

const AT = new Date('2026-11-20T12:00:00.000Z');
const DAY_US = 86_400_000_000n;
const WEEK_US = 7n * DAY_US;

let url: string;
let dataSource: DataSource;
let transactions: Transactions;
let sequencer: EventSequencer;

beforeEach(async () => {
  ({ url, dataSource } = await createMigratedDatabase());
  transactions = new Transactions(dataSource);
  sequencer = new EventSequencer(transactions);
});
afterEach(() => dataSource?.destroy());

const event = (own: Partial<AnyRecordedEvent> = {}): AnyRecordedEvent =>
  ({
    type: 'agent.updated',
    at: AT,
    subject: { kind: 'agent', id: 'agent_a' },
    audience: ['acct_a'],
    data: { updated_at: AT.toISOString() },
    ...own,
  }) as AnyRecordedEvent;
const record = (...events: AnyRecordedEvent[]) => transactions.run((manager) => recordEvents(manager, events));
const rows = <T>(sql: string): Promise<T[]> => dataSource.query<T[]>(sql);
const sequences = async (): Promise<bigint[]> =>
  (await rows<{ sequence: string }>('SELECT sequence FROM events ORDER BY sequence')).map(({ sequence }) =>
    BigInt(sequence),
  );
const partitions = <T>(work: (own: EventPartitions) => Promise<T>): Promise<T> =>
  transactions.run((manager) => work(new EventPartitions(manager)));
const partitionNames = async (): Promise<string[]> =>
  (
    await rows<{ name: string }>(`SELECT inhrelid::regclass::text AS name FROM pg_inherits
     WHERE inhparent IN ('events'::regclass, 'event_audience'::regclass) ORDER BY 1`)
  ).map(({ name }) => name);

describe('recording', () => {
  it('happens with the change or not at all', async () => {
    const failing = transactions.run(async (manager) => {
      await recordEvents(manager, [event()]);
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await rows('SELECT id FROM event_outbox')).toEqual([]);
  });

  it('keeps the order of the events of one statement, and names each reader once', async () => {
    await record(...Array.from({ length: 300 }, (_, n) => event({ subject: { kind: 'agent', id: `agent_${n}` } })));
    await record(
      event({ audience: ['acct_b', 'acct_a', 'acct_b'] }),
      event({ audience: 'public' }),
      event({ audience: [] }),
    );
    expect(await sequencer.moveNext()).toBe(false);
    const logged = await rows<{ document: string }>('SELECT document FROM events ORDER BY sequence');
    const subjects = logged.map(({ document }) => (JSON.parse(document) as { subject: { id: string } }).subject.id);
    expect(subjects).toEqual([...Array.from({ length: 300 }, (_, n) => `agent_${n}`), 'agent_a', 'agent_a']);
    const last = await rows(
      `SELECT account_id AS reader FROM event_audience ORDER BY sequence DESC, account_id LIMIT 3`,
    );
    expect(last).toEqual([{ reader: 'public' }, { reader: 'acct_a' }, { reader: 'acct_b' }]);
  });
});

describe('a sequence', () => {
  it('is about the time in microseconds, and a batch spans about as much of it however large it is', async () => {
    const spans: number[] = [];
    for (const size of [20, 500]) {
      const before = BigInt(Date.now()) * 1_000n;
      await record(...Array.from({ length: size }, () => event()));
      await sequencer.moveNext();
      const all = (await sequences()).slice(-size);
      expect(new Set(all).size).toBe(size);
      expect(Number(all[0]! - before)).toBeGreaterThan(-1_000_000);
      expect(Number(all.at(-1)! - before)).toBeLessThan(60_000_000);
      spans.push(Number(all.at(-1)! - all[0]!));
      await pause(60);
    }
    for (const span of spans) {
      expect(span).toBeGreaterThan(7_000);
      expect(span).toBeLessThan(41_000);
    }
  });

  it('goes on behind the last one when the clock of Postgres was set back', async () => {
    const [{ ahead } = { ahead: '0' }] = await rows<{ ahead: string }>(
      `UPDATE event_head SET last = floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint + ${DAY_US}
       RETURNING last AS ahead`,
    ).then(() => rows<{ ahead: string }>('SELECT last AS ahead FROM event_head'));
    await record(event());
    await sequencer.moveNext();
    const [first] = await sequences();
    expect(first! > BigInt(ahead)).toBe(true);
    expect(first! - BigInt(ahead) < 50_000n).toBe(true);
  });
});

describe('the partitions', () => {
  it('are made ahead, once', async () => {
    expect(await partitions((own) => own.prepare())).toBe(0);
    await rows(`UPDATE event_head SET last = ${BigInt(Date.now()) * 1_000n + 2n * WEEK_US}`);
    expect(await partitions((own) => own.prepare())).toBe(4);
    expect(await partitions((own) => own.prepare())).toBe(0);
  });

  it('are dropped with their events once all of them are older than 90 days', async () => {
    const now = BigInt(Date.now()) * 1_000n;
    const of = (daysAgo: bigint): bigint => (now - daysAgo * DAY_US) / WEEK_US;
    const old = [of(105n), of(98n), of(85n)];
    for (const index of old) {
      for (const table of ['events', 'event_audience']) {
        await rows(`CREATE TABLE ${table}_${index} PARTITION OF ${table}
          FOR VALUES FROM (${index * WEEK_US}) TO (${(index + 1n) * WEEK_US})`);
      }
      await rows(`INSERT INTO events VALUES (${index * WEEK_US + 5n}, 'evt_${index}', '{}')`);
      await rows(`INSERT INTO event_audience VALUES ('acct_a', ${index * WEEK_US + 5n}, 'agent.updated')`);
    }
    const kept = old.filter((index) => (index + 1n) * WEEK_US > now - 90n * DAY_US);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(old.length);
    expect(await partitions((own) => own.dropOver(90))).toBe(2 * (old.length - kept.length));
    expect(await sequences()).toEqual(kept.map((index) => index * WEEK_US + 5n).sort((a, b) => (a < b ? -1 : 1)));
    expect(await partitions((own) => own.dropOver(90))).toBe(0);
  });
});

it('sees an event that commits while Postgres waits for one', async () => {
  const answered = rows<{ seconds: number }>('SELECT oldest_waiting_event(3000) AS seconds');
  await pause(50);
  await record(event());
  const [{ seconds } = { seconds: -1 }] = await answered;
  // A minute is how long it would have looked.
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThan(50);
});

describe('the service', () => {
  let service: ListeningService;
  afterEach(() => service?.close());
  const lag = async (): Promise<number> => {
    const [, value] = /^event_sequencer_lag_seconds (\S+)$/m.exec(await service.get(Metrics).text()) ?? [];
    return Number(value);
  };

  it('moves what was recorded within moments, and tells whoever listens', async () => {
    service = await ListeningService.listen({ databaseUrl: url });
    const listener = new pg.Client({ connectionString: url });
    await listener.connect();
    const heard: (string | undefined)[] = [];
    listener.on('notification', ({ payload }) => heard.push(payload));
    await listener.query(`LISTEN ${EVENTS_CHANNEL}`);
    await record(event());
    await eventually(async () => (await sequences()).length === 1, 5_000);
    await eventually(() => heard.length === 1, 5_000);
    expect(heard).toEqual([String((await sequences())[0])]);
    await listener.end();
  });

  it('goes on after the connection was cut on which it waits', async () => {
    service = await ListeningService.listen({ databaseUrl: url });
    const waiting = async () =>
      (
        await rows<{ pid: number }>(`SELECT pid FROM pg_stat_activity WHERE application_name = 'tasktree-events'
        AND datname = current_database() AND query LIKE '%oldest_waiting_event%'`)
      )[0]?.pid;
    await eventually(async () => (await waiting()) !== undefined, 10_000);
    const cut = await waiting();
    await rows(`SELECT pg_terminate_backend(${cut})`);
    await record(event());
    await eventually(async () => (await sequences()).length === 1, 10_000);
    expect(await waiting()).not.toBe(cut);
  });

  it('moves an event that was recorded before the clock of Postgres was set back', async () => {
    await record(event());
    await rows(`UPDATE event_outbox SET recorded_at = clock_timestamp() + interval '1 hour'`);
    service = await ListeningService.listen({ databaseUrl: url });
    await eventually(async () => (await sequences()).length === 1, 10_000);
    expect(await lag()).toBe(0);
  });

  it('makes the partitions that it finds missing', async () => {
    for (const name of await partitionNames()) await rows(`DROP TABLE ${name}`);
    await record(event());
    service = await ListeningService.listen({ databaseUrl: url });
    await eventually(async () => (await sequences()).length === 1, 10_000);
    expect((await partitionNames()).length).toBe(6);
  });

  it('says how long the oldest event has waited while the log cannot be written', async () => {
    service = await ListeningService.listen({ databaseUrl: url });
    await record(event());
    await eventually(async () => (await sequences()).length === 1, 5_000);
    expect(await lag()).toBe(0);
    const blocker = new pg.Client({ connectionString: url });
    await blocker.connect();
    await blocker.query('BEGIN');
    await blocker.query('SELECT last FROM event_head FOR UPDATE');
    await record(event());
    await eventually(async () => (await lag()) > 0.5, 5_000);
    await blocker.query('ROLLBACK');
    await blocker.end();
    await eventually(async () => (await sequences()).length === 2, 5_000);
    await eventually(async () => (await lag()) === 0, 5_000);
  });
});
