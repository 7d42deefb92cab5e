import pg from 'pg';
import { DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { type Beginning, LateTransaction } from '../../../src/platform/database/late-transaction.js';
import { failedStatement, runBatch } from '../../../src/platform/database/batch/statement-batch.js';
import { runPrepared, runTogether, runWithNext, Transactions } from '../../../src/platform/database/transactions.js';
import { createMigratedDatabase } from '../../support/database.js';
import { failureOf } from '../../support/failure.js';

let database: { url: string; dataSource: DataSource };
let transactions: Transactions;
let client: pg.Client;

const INSERT = { name: 'note', text: 'INSERT INTO notes (id, text) VALUES ($1, $2)' };
const COUNT = { name: 'notes', text: 'SELECT count(*)::integer AS count FROM notes' };
const kept = async (): Promise<number> => (await client.query<{ count: number }>(COUNT.text)).rows[0]?.count ?? -1;

beforeAll(async () => {
  database = await createMigratedDatabase();
  transactions = new Transactions(database.dataSource);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`CREATE TABLE notes (id integer PRIMARY KEY, text text NOT NULL);
    CREATE TABLE replies (note_id integer REFERENCES notes (id) DEFERRABLE INITIALLY DEFERRED);`);
});

beforeEach(() => client.query('TRUNCATE notes, replies'));

afterAll(async () => {
  await client?.end();
  await database?.dataSource.destroy();
});

/** The statements sent to Postgres while `work` runs: for each round trip, how its statements begin. */
async function roundTrips(work: () => Promise<unknown>): Promise<string[][]> {
  const sent: string[][] = [];
  const real: unknown = Reflect.get(pg.Client.prototype, 'query');
  const spied = jest.spyOn(pg.Client.prototype, 'query');
  spied.mockImplementation(function (this: pg.Client, ...query: unknown[]): unknown {
    const [first] = query as [string | { text: string } | { statements: { text: string }[] }];
    const statements =
      typeof first === 'string' ? [{ text: first }] : 'statements' in first ? first.statements : [first];
    sent.push(statements.map(({ text }) => text.trim().split(/\s+/).slice(0, 2).join(' ')));
    return Reflect.apply(real as (...query: unknown[]) => unknown, this, query);
  } as never);
  try {
    await work();
  } finally {
    spied.mockRestore();
  }
  return sent;
}

describe('a batch', () => {
  it('answers what its last statement does, and parses each named one once', async () => {
    for (const id of [1, 2]) {
      const result = await runBatch(client, [
        { text: 'START TRANSACTION', name: 'begin' },
        { ...INSERT, values: [id, 'x'] },
        COUNT,
        { text: 'COMMIT', name: 'commit' },
      ]);
      expect(result.command).toBe('COMMIT');
    }
    expect(await kept()).toBe(2);
    const { rows } = await client.query<{ name: string }>('SELECT name FROM pg_prepared_statements ORDER BY name');
    expect(rows.map(({ name }) => name)).toEqual(['begin', 'commit', 'note', 'notes']);
    const last = await runBatch(client, [COUNT, { text: 'SELECT $1::text AS word', values: ['hello'] }]);
    expect(last.rows).toEqual([{ word: 'hello' }]);
  });

  it.each([
    ['refuses', [1, null]],
    ['has not heard of', [1, 'x', 'y']],
  ])('of which the database %s one commits nothing, and says which it was', async (_what, values) => {
    const statement = { name: 'note', text: INSERT.text, values };
    const error = await failureOf(
      runBatch(client, [
        { text: 'START TRANSACTION' },
        { ...INSERT, values: [7, 'before'] },
        statement,
        { text: 'COMMIT' },
      ]),
    );
    expect(failedStatement(error as Error)).toBe(statement);
    await client.query('ROLLBACK');
    expect(await kept()).toBe(0);
    // The connection still works, also with the names of statements that were skipped.
    await runBatch(client, [{ ...INSERT, values: [1, 'x'] }, COUNT]);
    expect(await kept()).toBe(1);
  });

  it('whose beginning fails runs nothing by itself', async () => {
    const error = await failureOf(
      runBatch(client, [{ text: 'START TRANSACTION ISOLATION LEVEL none' }, { ...INSERT, values: [1, 'x'] }]),
    );
    expect(error).toMatchObject({ code: '42601' });
    expect(await kept()).toBe(0);
  });

  it('with a value that cannot be sent sends nothing', async () => {
    const values = [
      1,
      {
        toPostgres: () => {
          throw new Error('no value');
        },
      },
    ];
    const batch = [{ text: 'START TRANSACTION' }, { ...INSERT, values }, { text: 'COMMIT' }];
    expect(await failureOf(runBatch(client, batch))).toMatchObject({ message: 'no value' });
    expect(await kept()).toBe(0);
    await runBatch(client, [{ ...INSERT, values: [1, 'x'] }]);
    expect(await kept()).toBe(1);
  });

  it('with one name for two texts sends nothing', async () => {
    await runBatch(client, [COUNT]);
    const other = { name: COUNT.name, text: 'SELECT 2' };
    const batch = [{ text: 'START TRANSACTION' }, { ...INSERT, values: [1, 'x'] }, other];
    expect(await failureOf(runBatch(client, batch))).toMatchObject({ message: expect.stringContaining('unique') });
    expect(await kept()).toBe(0);
  });
});

describe('a write with a beginning of its own', () => {
  /** Begins with the note of this id and text, which must not be there. */
  const beginning = (change: Partial<Beginning> = {}, values: unknown[] = [1, 'first']): Beginning => ({
    statement: { name: 'first-note', text: `${INSERT.text} ON CONFLICT DO NOTHING RETURNING id`, values },
    accepts: ({ rows }) => rows.length === 1,
    retry: () => Promise.reject(new Error('It is there already')),
    failure: (error) => error,
    ...change,
  });
  const write = (
    work: (manager: EntityManager) => Promise<unknown>,
    change?: Partial<Beginning>,
    values?: unknown[],
  ): Promise<unknown> => transactions.unit(() => transactions.run(work), beginning(change, values));

  it('takes two round trips: its beginning with the first that it asks, and all that waits with COMMIT', async () => {
    const sent = await roundTrips(() =>
      write(async (manager) => {
        await runPrepared(manager, COUNT, []);
        await runWithNext(manager, INSERT, [2, 'held']);
        await runWithNext(manager, INSERT, [3, 'held']);
      }),
    );
    expect(sent).toEqual([
      ['START TRANSACTION', 'INSERT INTO', 'SELECT count(*)::integer'],
      ['INSERT INTO', 'INSERT INTO', 'COMMIT'],
    ]);
    expect(await kept()).toBe(3);
  });

  it('asks several things at once, and gets the rows of each', async () => {
    let rows: object[][] = [];
    const sent = await roundTrips(() =>
      write(async (manager) => {
        const insert = { name: 'note-back', text: `${INSERT.text} RETURNING id`, values: [2, 'x'] };
        rows = await runTogether(manager, [{ ...COUNT, values: [] }, insert]);
      }),
    );
    expect(rows).toEqual([[{ count: 1 }], [{ id: 2 }]]);
    expect(sent).toEqual([['START TRANSACTION', 'INSERT INTO', 'SELECT count(*)::integer', 'INSERT INTO'], ['COMMIT']]);
  });

  it('names the one that fails among several at once', async () => {
    const asked = write((manager) =>
      runTogether(manager, [
        { ...INSERT, values: [2, 'x'] },
        { ...INSERT, values: [2, 'again'] },
      ]),
    );
    expect(await failureOf(asked)).toMatchObject({ parameters: [2, 'again'], driverError: { code: '23505' } });
    expect([await kept(), await openTransactions()]).toEqual([0, 0]);
  });

  it('asks once more, in another transaction, what was asked behind a beginning that was not accepted', async () => {
    await client.query("INSERT INTO notes VALUES (1, 'of somebody else')");
    const counts: unknown[] = [];
    const sent = await roundTrips(() =>
      write(
        async (manager) => {
          await runWithNext(manager, INSERT, [2, 'held']);
          counts.push(...(await runPrepared(manager, COUNT, [])));
        },
        {
          retry: async (ask) => {
            await ask({ text: 'DELETE FROM notes WHERE id = $1', values: [1] });
            await ask({ ...INSERT, values: [1, 'ours'] });
          },
        },
      ),
    );
    expect(sent).toEqual([
      ['START TRANSACTION', 'INSERT INTO', 'INSERT INTO', 'SELECT count(*)::integer'],
      ['ROLLBACK'],
      ['START TRANSACTION'],
      ['DELETE FROM'],
      ['INSERT INTO'],
      ['INSERT INTO', 'SELECT count(*)::integer'],
      ['COMMIT'],
    ]);
    expect(counts).toEqual([{ count: 2 }]);
    const { rows } = await client.query('SELECT text FROM notes ORDER BY id');
    expect(rows).toEqual([{ text: 'ours' }, { text: 'held' }]);
  });

  it('that is not accepted shows nobody what came behind it, and undoes it, also what is asked meanwhile', async () => {
    await client.query("INSERT INTO notes VALUES (1, 'of somebody else')");
    const seen: unknown[] = [];
    const error = await failureOf(
      write(async (manager) => {
        const asked = [2, 3].map((id) => runPrepared(manager, INSERT, [id, 'x']).then((rows) => seen.push(rows)));
        await Promise.allSettled(asked);
        await manager.query('SELECT 1').then((rows) => seen.push(rows));
      }),
    );
    expect(error).toMatchObject({ message: 'It is there already' });
    expect([await kept(), await openTransactions()]).toEqual([1, 0]);
  });

  it.each([
    ['nothing at all', (): Promise<unknown> => Promise.resolve()],
    ['a statement that waits', (manager: EntityManager) => runWithNext(manager, INSERT, [2, 'held'])],
    ['a text without values', (manager: EntityManager) => manager.query("INSERT INTO notes VALUES (3, 'a')")],
  ])('that is not accepted commits nothing either when it is followed by %s', async (_what, work) => {
    await client.query("INSERT INTO notes VALUES (1, 'of somebody else')");
    expect(await failureOf(write(work))).toMatchObject({ message: 'It is there already' });
    // Whoever overlooks the error of its own statement does not commit either.
    expect(await failureOf(write((manager) => work(manager).catch(() => undefined)))).toMatchObject({
      message: 'It is there already',
    });
    expect([await kept(), await openTransactions()]).toEqual([1, 0]);
  });

  it('opens its transaction when it is known that there is something to write, and not when there is not', async () => {
    let clear = (): void => undefined;
    const cleared = new Promise<void>((resolve) => (clear = resolve));
    const seen: string[] = [];
    const written = write(
      async (manager) => {
        seen.push('written');
        await runPrepared(manager, COUNT, []);
      },
      { cleared: cleared.then(() => void seen.push('cleared')) },
    );
    expect(await openTransactions()).toBe(0);
    clear();
    await written;
    expect(seen).toEqual(['cleared', 'written']);
    const over = write((manager) => runPrepared(manager, INSERT, [2, 'x']), {
      cleared: Promise.reject(new Error('It was answered')),
    });
    expect(await failureOf(over)).toMatchObject({ message: 'It was answered' });
    expect([await kept(), await openTransactions()]).toEqual([1, 0]);
  });

  it('fails with the error of its first statement as if that had been sent alone, and leaves nothing open', async () => {
    const error = await failureOf(write(() => Promise.resolve(), {}, [1, null]));
    expect(error).toBeInstanceOf(QueryFailedError);
    expect(error).toMatchObject({ parameters: [1, null], driverError: { code: '23502' } });
    const behind = await failureOf(write((manager) => runPrepared(manager, COUNT, []), {}, [1, null]));
    expect(behind).toMatchObject({ parameters: [1, null], driverError: { code: '23502' } });
    expect([await kept(), await openTransactions()]).toEqual([0, 0]);
  });

  it('commits nothing when a statement fails with COMMIT already behind it, and names that statement', async () => {
    const error = await failureOf(
      write(async (manager) => {
        await runWithNext(manager, INSERT, [2, 'held']);
        await runWithNext(manager, INSERT, [2, 'again']);
      }),
    );
    expect(error).toBeInstanceOf(QueryFailedError);
    expect(error).toMatchObject({ query: INSERT.text, parameters: [2, 'again'], driverError: { code: '23505' } });
    expect([await kept(), await openTransactions()]).toEqual([0, 0]);
  });

  it('fails when a constraint is found broken only at COMMIT', async () => {
    const error = await failureOf(
      write((manager) => runWithNext(manager, { name: 'reply', text: 'INSERT INTO replies VALUES ($1)' }, [99])),
    );
    expect(error).toMatchObject({ query: 'COMMIT', driverError: { code: '23503' } });
    expect([await kept(), await openTransactions()]).toEqual([0, 0]);
  });

  it('fails when what failed was passed over, instead of taking ROLLBACK for a COMMIT', async () => {
    const overlooking = (manager: EntityManager): Promise<unknown> =>
      manager.query('SELECT 1 / 0').catch(() => undefined);
    expect(await failureOf(write(overlooking))).toMatchObject({ message: expect.stringContaining('rolled back') });
    expect(await failureOf(transactions.run(overlooking))).toMatchObject({
      message: expect.stringContaining('rolled back'),
    });
    expect([await kept(), await openTransactions()]).toEqual([0, 0]);
  });

  it('fails when its connection is lost with COMMIT still to come', async () => {
    const error = await failureOf(
      write(async (manager) => {
        const [row] = await runPrepared<{ pid: number }>(
          manager,
          { name: 'pid', text: 'SELECT pg_backend_pid() AS pid' },
          [],
        );
        await runWithNext(manager, INSERT, [2, 'held']);
        await client.query('SELECT pg_terminate_backend($1)', [row?.pid]);
      }),
    );
    expect(error).toBeInstanceOf(Error);
    expect(await kept()).toBe(0);
    // The pool uses another connection for the next transaction.
    await write((manager) => runWithNext(manager, INSERT, [2, 'held']));
    expect(await kept()).toBe(2);
  });

  it('sends what waits ahead of a text of several statements, and before a savepoint', async () => {
    await write(async (manager) => {
      await runWithNext(manager, INSERT, [2, 'held']);
      await manager.query("INSERT INTO notes VALUES (3, 'a'); INSERT INTO notes VALUES (4, 'b')");
      await runWithNext(manager, INSERT, [5, 'held']);
      await manager
        .transaction(async (inner) => {
          await runWithNext(inner, INSERT, [6, 'undone']);
          throw new Error('undo');
        })
        .catch(() => undefined);
      await manager.transaction((inner) => runWithNext(inner, INSERT, [7, 'kept']));
    });
    const { rows } = await client.query<{ id: number }>('SELECT id FROM notes ORDER BY id');
    expect(rows.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 7]);
  });

  it('that is undone sends nothing that still waits', async () => {
    const sent = await roundTrips(() =>
      failureOf(
        write(async (manager) => {
          await runWithNext(manager, INSERT, [2, 'held']);
          throw new Error('refused');
        }),
      ),
    );
    expect(sent).toEqual([]);
    // The next transaction on that connection does not send it either.
    await transactions.run((manager) => manager.query('SELECT 1'));
    expect([await kept(), await openTransactions()]).toEqual([0, 0]);
  });

  it('leaves other transactions as they are: each statement by itself', async () => {
    const late = new LateTransaction(database.dataSource);
    const sent = await roundTrips(() => late.around(async () => (await late.open()).query(COUNT.text)));
    expect(sent).toEqual([['START TRANSACTION'], ['SELECT count(*)::integer'], ['COMMIT']]);
  });
});

async function openTransactions(): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM pg_stat_activity
     WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
  );
  return rows[0]?.count ?? -1;
}
