import pg from 'pg';
import { type DataSource, QueryFailedError } from 'typeorm';
import { BinaryRows } from '../../../src/platform/database/copy/binary-rows.js';
import { copyRows } from '../../../src/platform/database/copy/copy-rows.js';
import { runWithNext, Transactions } from '../../../src/platform/database/transactions.js';
import { createMigratedDatabase } from '../../support/database.js';
import { failureOf } from '../../support/failure.js';

let database: { url: string; dataSource: DataSource };
let transactions: Transactions;
let client: pg.Client;

const COPY = 'COPY notes (id, text, at, body) FROM STDIN (FORMAT binary)';
const kept = async (): Promise<unknown[]> =>
  (await client.query('SELECT id, text, extract(epoch FROM at)::integer AS at, body FROM notes ORDER BY id')).rows;
const note = (rows: BinaryRows, id: number, text: string | null = 'x'): BinaryRows =>
  rows.row(4).integer(id).text(text).timestamp(0).jsonb('{}');

beforeAll(async () => {
  database = await createMigratedDatabase();
  transactions = new Transactions(database.dataSource);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    'CREATE TABLE notes (id integer PRIMARY KEY, text text, at timestamptz(3) NOT NULL, body jsonb NOT NULL)',
  );
});

beforeEach(() => client.query('TRUNCATE notes'));

afterAll(async () => {
  await client?.end();
  await database?.dataSource.destroy();
});

it('rows are stored as they were given', async () => {
  const body = { 'key "with" quotes': ['ü€😀\n', '0', 1.5, null, { a: '\\' }] };
  const given = [
    { id: -2_147_483_648, text: null, at: -1, body },
    { id: 0, text: '', at: 0, body: [] },
    { id: 2_147_483_647, text: 'tab\tline\nback\\ü€😀', at: 1_764_000_000, body: 'text' },
  ];
  const rows = new BinaryRows();
  for (const { id, text, at, body: value } of given) {
    rows.row(4).integer(id).text(text).timestamp(at).jsonb(JSON.stringify(value));
  }
  await transactions.run((manager) => copyRows(manager, COPY, rows.finish()));
  expect(await kept()).toEqual(given);
});

it('many rows of many bytes arrive whole, and none is as good as any', async () => {
  const rows = new BinaryRows();
  for (let id = 0; id < 3_000; id += 1) {
    const text = `${id}`.padStart(1_000, '€');
    rows.row(4).integer(id).text(text).timestamp(id).jsonb(JSON.stringify({ text }));
  }
  await transactions.run((manager) => copyRows(manager, COPY, rows.finish()));
  const { rows: sums } = await client.query(
    `SELECT count(*)::integer AS rows, bool_and(text = lpad(id::text, 1000, '€') AND body->>'text' = text) AS same
     FROM notes`,
  );
  expect(sums).toEqual([{ rows: 3_000, same: true }]);
  await client.query('TRUNCATE notes');
  await transactions.run((manager) => copyRows(manager, COPY, new BinaryRows().finish()));
  expect(await kept()).toEqual([]);
});

it('statements before and after it are of the same transaction, also one that waited to be sent', async () => {
  await transactions.run(async (manager) => {
    await runWithNext(manager, { text: `INSERT INTO notes VALUES (1, 'held', now(), '{}')` }, []);
    await copyRows(manager, COPY, note(new BinaryRows(), 2).finish());
    await copyRows(manager, COPY, note(new BinaryRows(), 3).finish());
    expect(await manager.query('SELECT count(*)::integer AS count FROM notes')).toEqual([{ count: 3 }]);
    expect(await kept()).toEqual([]);
  });
  expect(await kept()).toHaveLength(3);
});

describe('nothing is written', () => {
  const cut = (rows: Buffer): Buffer => rows.subarray(0, rows.length - 3);
  const changed = (rows: Buffer): Buffer => {
    rows[0] = 0;
    return rows;
  };
  it.each([
    ['a row is twice there', () => note(note(new BinaryRows(), 1), 1).finish(), '23505'],
    [
      'a row breaks a constraint',
      () => new BinaryRows().row(4).integer(1).text('x').text(null).jsonb('1').finish(),
      '23502',
    ],
    ['a text contains NUL', () => note(new BinaryRows(), 1, '\0').finish(), '22021'],
    [
      'a JSON text is none',
      () => new BinaryRows().row(4).integer(1).text('').timestamp(0).jsonb('{').finish(),
      '22P02',
    ],
    ['a row has too few fields', () => note(new BinaryRows(), 1).row(3).integer(2).finish(), '22P04'],
    [
      'a value has another type',
      () => new BinaryRows().row(4).text('12345').text('').timestamp(0).jsonb('1').finish(),
      '22P03',
    ],
    ['the bytes end too early', () => cut(note(note(new BinaryRows(), 1), 2).finish()), '22P04'],
    ['the bytes are something else', () => changed(note(new BinaryRows(), 1).finish()), '22P04'],
  ] as const)('when %s, and the connection serves the next transaction', async (_what, rows, code) => {
    let pid: unknown;
    const one = transactions.run(async (manager) => {
      [{ pid }] = await manager.query<[{ pid: unknown }]>('SELECT pg_backend_pid() AS pid');
      await copyRows(manager, COPY, note(new BinaryRows(), 7).finish());
      await copyRows(manager, COPY, rows());
    });
    const error = await failureOf(one);
    expect(error).toBeInstanceOf(QueryFailedError);
    expect((error as QueryFailedError).driverError).toMatchObject({ code });
    expect(await kept()).toEqual([]);
    await transactions.run(async (manager) => {
      expect(await manager.query('SELECT pg_backend_pid() AS pid')).toEqual([{ pid }]);
      await copyRows(manager, COPY, note(new BinaryRows(), 1).finish());
    });
    expect(await kept()).toHaveLength(1);
  });

  it('when the connection ends while the rows are on their way', async () => {
    const rows = new BinaryRows();
    for (let id = 0; id < 20_000; id += 1) note(rows, id, 'x'.repeat(1_000));
    const cut = transactions.run(async (manager) => {
      const [{ pid }] = await manager.query<[{ pid: number }]>('SELECT pg_backend_pid() AS pid');
      const copied = failureOf(copyRows(manager, COPY, rows.finish()));
      await client.query('SELECT pg_terminate_backend($1)', [pid]);
      throw await copied;
    });
    expect(await failureOf(cut)).toBeInstanceOf(QueryFailedError);
    expect(await kept()).toEqual([]);
  });

  it('when the transaction is undone afterwards', async () => {
    const undone = transactions.run(async (manager) => {
      await copyRows(manager, COPY, note(new BinaryRows(), 1).finish());
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect(await kept()).toEqual([]);
  });

  it('without a transaction, or after a statement that failed', async () => {
    const rows = note(new BinaryRows(), 1).finish();
    await expect(copyRows(database.dataSource.manager, COPY, rows)).rejects.toThrow('only in a transaction');
    const aborted = transactions.run(async (manager) => {
      await runWithNext(manager, { text: `INSERT INTO notes VALUES (1, 'no time', NULL, '{}')` }, []);
      await copyRows(manager, COPY, rows);
    });
    await expect(aborted).rejects.toThrow('current transaction is aborted');
    expect(await kept()).toEqual([]);
  });
});

it('a number that is not whole, or too large, is refused before anything is sent', () => {
  expect(() => new BinaryRows().row(1).integer(2 ** 31)).toThrow('out of range');
  expect(() => new BinaryRows().row(1).integer(1.5)).toThrow('Not a whole number');
  expect(() => new BinaryRows().row(1).timestamp(0.5)).toThrow('cannot be converted to a BigInt');
});
