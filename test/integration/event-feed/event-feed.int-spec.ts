import { writeSync } from 'node:fs';
import { eventListStatement, READABLE_EVENT } from '../../../src/modules/events/log/event-list.sql.js';
import {
  hasEventBehind,
  PUBLIC_EVENTS_BEHIND,
  PUBLIC_TASKS_BEHIND,
} from '../../../src/modules/events/events.sql-views.js';
import { EVENTS_BEHIND, TAIL_BATCH } from '../../../src/modules/events/log/event-tail.sql.js';
import { attachPartition } from '../../../src/modules/events/retention/event-partitions.sql.js';
import { BUYER } from '../../support/market-rows.js';
import { costOf, PlannedStatement, type QueryPlan } from '../../support/query-plan.js';
import { LISTS } from '../../../src/platform/database/reads/read-connections.js';
import { ReadSide } from '../../support/read-side.js';
import { vacuumed } from '../../support/vacuumed.js';

const SMALL = 10_000;
/** `EVENT_LOG_ROWS=10000000 npm run test:event-pages` takes minutes and 12 GB; the default as long as a spec may. */
const LARGE = Number(process.env.EVENT_LOG_ROWS ?? 400_000);
const PAGE = 25;
/** How much more a page may read in the large log: indexes there are a level deeper. */
const GROWTH = 1.3;
/** Pages that a page of events may read whatever it costs in the small log. */
const LEAST = 60;
/** Partitions that the log fills. */
const PARTS = 5;
/** Those that the migration has made. */
const AHEAD = 3;
/** Sequences in one of them. */
const SIZE = 1_000_000_000;

/** Reads one event, the last one of the log. */
const LATECOMER = 'acct_latecomer';

async function emptyLog(): Promise<ReadSide> {
  const side = await ReadSide.create();
  for (let part = 0; part < PARTS; part += 1) {
    const [from, to] = [BigInt(part * SIZE), BigInt((part + 1) * SIZE)];
    await side.fill(attachPartition('events', `events_${part}`, from, to));
    await side.fill(attachPartition('event_audience', `event_audience_${part}`, from, to));
  }
  return side;
}

/** Adds this many events: of every four one for everybody, one for the reader and two for others. */
async function fill(side: ReadSide, events: number): Promise<void> {
  const step = Math.floor((PARTS * SIZE) / (events + 1));
  await side.fill(
    `INSERT INTO events (sequence, id, document)
       SELECT n::bigint * ${step}, 'evt_' || n, '{"id":"evt_' || n || '","filler":"' || repeat('x', 500) || '"}'
       FROM generate_series(1, ${events}) n`,
  );
  await side.fill(
    `INSERT INTO event_audience (account_id, sequence, type, task_id)
       SELECT CASE n % 4 WHEN 0 THEN 'public' WHEN 1 THEN '${BUYER}' ELSE 'acct_other' || n % 50 END, n::bigint * ${step},
         CASE WHEN n % 500 < 2 THEN 'quote.expired' ELSE 'quote.submitted' END, 'task_' || n / 40
       FROM generate_series(1, ${events}) n`,
  );
  await side.fill(
    `INSERT INTO event_audience (account_id, sequence, type, task_id)
       VALUES ('${LATECOMER}', ${events}::bigint * ${step}, 'quote.expired', 'task_${Math.floor(events / 40)}')`,
  );
}

async function logOf(events: number): Promise<ReadSide> {
  const side = await emptyLog();
  await fill(side, events);
  // Of ten million rows it takes longer than the service's statements may.
  await side.fill('VACUUM (ANALYZE, INDEX_CLEANUP ON)');
  await vacuumed(side.dataSource);
  return side;
}

describe('a page of events', () => {
  const logs = new Map<number, ReadSide>();
  beforeAll(async () => {
    for (const size of [SMALL, LARGE]) logs.set(size, await logOf(size));
  }, 1_800_000);
  afterAll(async () => {
    for (const side of logs.values()) await side.close();
  });

  const starts = { 'its beginning': '0', 'its middle': String((PARTS * SIZE) / 2), 'its end': String(PARTS * SIZE) };
  /** The middle of the log, in either size. */
  const taskOf = (size: number): string => `task_${Math.floor(size / 80)}`;
  const filters = [
    ['everything', { byTypes: false, byTask: false }, () => [BUYER]],
    ['rare types', { byTypes: true, byTask: false }, () => [BUYER, ['quote.expired', 'quote.withdrawn']]],
    ['all types', { byTypes: true, byTask: false }, () => [BUYER, ['quote.expired', 'quote.submitted']]],
    ['one task', { byTypes: false, byTask: true }, (size: number) => [BUYER, taskOf(size)]],
    [
      'one task and type',
      { byTypes: true, byTask: true },
      (size: number) => [BUYER, taskOf(size), ['quote.submitted']],
    ],
    ['everything, for a reader of one event,', { byTypes: false, byTask: false }, () => [LATECOMER]],
    [
      'one task, for a reader of one event,',
      { byTypes: false, byTask: true },
      (size: number) => [LATECOMER, taskOf(size)],
    ],
  ] as const;

  it.each(
    filters.flatMap(([what, by, values]) =>
      Object.entries(starts).map(([at, start]) => ({ what, by, values, at, start })),
    ),
  )('of $what from $at costs the same in a log of any length', async ({ by, values, start }) => {
    const { text } = eventListStatement(PAGE, by);
    const costs: number[] = [];
    for (const [size, side] of logs) {
      const [reader, ...wanted] = values(size);
      const plan = await costOf(side.dataSource, text, [reader, start, ...wanted], LISTS.settings);
      expect(plan.scanned).toEqual([]);
      costs.push(plan.buffers);
    }
    const [small = 0, large = 0] = costs;
    writeSync(1, `  ${small} and ${large} pages\n`);
    expect([small, large, large <= Math.max(small, LEAST) * GROWTH]).toEqual([small, large, true]);
  });

  it.each([
    ['its end', 20],
    ['its middle', TAIL_BATCH],
  ] as const)('of all readers, behind a position near %s, costs the same in a log of any length', async (at, most) => {
    const costs: number[] = [];
    for (const [size, side] of logs) {
      const step = Math.floor((PARTS * SIZE) / (size + 1));
      const behind = at === 'its end' ? (size - most) * step : Math.floor(size / 2) * step;
      const plan = await costOf(side.dataSource, EVENTS_BEHIND.text, [String(behind)], LISTS.settings);
      expect([plan.rows, plan.scanned]).toEqual([most, []]);
      costs.push(plan.buffers);
    }
    const [small = 0, large = 0] = costs;
    writeSync(1, `  ${small} and ${large} pages\n`);
    expect([small, large, large <= Math.max(small, LEAST) * GROWTH]).toEqual([small, large, true]);
  });

  it('finds one event by its id at the same cost', async () => {
    const costs: number[] = [];
    for (const [size, side] of logs) {
      const values = [`evt_${Math.floor(size / 8) * 4}`, BUYER];
      const plan = await costOf(side.dataSource, READABLE_EVENT.text, values, LISTS.settings);
      expect([plan.rows, plan.scanned]).toEqual([1, []]);
      costs.push(plan.buffers);
    }
    const [small = 0, large = 0] = costs;
    // An index of a larger table is a level deeper, in each of the partitions.
    expect([small, large, large <= small + PARTS + AHEAD]).toEqual([small, large, true]);
  });
});

// Statistics of an empty partition come with every ANALYZE of the database, and a plan stays until the next ones.
describe('a plan that was made while the log was empty', () => {
  const statements = [
    ['all that one reader may read', eventListStatement(PAGE, { byTypes: false, byTask: false }).text, [BUYER, '0']],
    ['a reader with one event', eventListStatement(PAGE, { byTypes: false, byTask: false }).text, [LATECOMER, '0']],
    [
      'a type of that reader',
      eventListStatement(PAGE, { byTypes: true, byTask: false }).text,
      [LATECOMER, '0', ['quote.expired']],
    ],
    [
      'a task of that reader',
      eventListStatement(PAGE, { byTypes: false, byTask: true }).text,
      [LATECOMER, '0', `task_${SMALL / 40}`],
    ],
    [
      'whether that reader has an event',
      `SELECT ${hasEventBehind('$1', '$2::text[]', '$3::bigint')}`,
      [LATECOMER, null, '0'],
    ],
    [
      'whether that reader has an event of a type',
      `SELECT ${hasEventBehind('$1', '$2::text[]', '$3::bigint')}`,
      [LATECOMER, ['quote.expired'], '0'],
    ],
    ['what is for everybody', PUBLIC_EVENTS_BEHIND.text, ['0']],
    ['what is for everybody, from the middle on', PUBLIC_EVENTS_BEHIND.text, [String((PARTS * SIZE) / 2)]],
    ['the tasks of a type of event for everybody', PUBLIC_TASKS_BEHIND.text, ['0', 'task.opened']],
    ['the events of all readers', EVENTS_BEHIND.text, ['0']],
  ] as const;
  const early: QueryPlan[] = [];
  let side: ReadSide;
  beforeAll(async () => {
    side = await emptyLog();
    await side.fill('ANALYZE');
    const prepared: PlannedStatement[] = [];
    for (const [, text, values] of statements) {
      const statement = await PlannedStatement.prepare(side.dataSource, text, LISTS.settings);
      await statement.run(values);
      prepared.push(statement);
    }
    await fill(side, SMALL);
    for (const [place, statement] of prepared.entries()) {
      early.push(await statement.measure(statements[place]?.[2] ?? []));
      await statement.close();
    }
    await side.fill('ANALYZE');
  });
  afterAll(() => side?.close());

  it.each(statements.map(([what, text, values], place) => ({ what, text, values, place })))(
    'reads of $what no more than one that was made when it was full',
    async ({ text, values, place }) => {
      const late = await costOf(side.dataSource, text, values, LISTS.settings);
      const first = early[place]?.buffers ?? 0;
      writeSync(1, `  ${first} and ${late.buffers} pages\n`);
      const isSimilar = first <= Math.max(late.buffers, LEAST) * GROWTH;
      expect([early[place]?.rows, early[place]?.discarded, first, isSimilar]).toEqual([late.rows, 0, first, true]);
    },
  );
});
