import type { EntityManager } from 'typeorm';
import { ReplacedRows } from '../../../src/platform/database/replaced-rows.js';
import { ReadSide } from '../../support/read-side.js';

interface Kept {
  readonly id: string;
  readonly taskId: string;
  readonly value: number;
}

const ROWS = new ReplacedRows<Kept>({
  table: 'kept_rows',
  key: ['id'],
  columns: {
    id: { type: 'text', of: ({ id }) => id },
    task_id: { type: 'text', of: ({ taskId }) => taskId },
    value: { type: 'integer', of: ({ value }) => value },
  },
});

let side: ReadSide;

beforeEach(async () => {
  side = await ReadSide.create();
  await side.dataSource.query('CREATE TABLE kept_rows (id text PRIMARY KEY, task_id text NOT NULL, value integer)');
});
afterEach(() => side.close());

const row = (id: string, taskId: string, value: number): Kept => ({ id, taskId, value });

/** `version` tells a row that was written from one that was left alone. */
interface Found extends Kept {
  readonly version: string;
}

function inTransaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
  return side.transactions.run(work);
}

function found(): Promise<Found[]> {
  return side.dataSource.query(
    `SELECT id, task_id AS "taskId", value, xmin::text AS version FROM kept_rows ORDER BY id`,
  );
}

const values = (rows: readonly Kept[]): string[] => rows.map(({ id, value }) => `${id} ${value}`);

describe('the rows of tasks', () => {
  beforeEach(() =>
    inTransaction((manager) => ROWS.replace(manager, [], [row('a', 'one', 1), row('b', 'one', 2), row('c', 'two', 3)])),
  );

  it('that had some become those that are given, and what is so already is not written', async () => {
    const before = await found();
    await inTransaction((manager) => ROWS.replace(manager, ['one'], [row('a', 'one', 1), row('d', 'one', 4)]));
    const after = await found();
    expect(values(after)).toEqual(['a 1', 'c 3', 'd 4']);
    expect(after[0]).toEqual(before[0]);
  });

  it('are told apart by whether their task had some: one call writes both', async () => {
    const before = await found();
    await inTransaction((manager) =>
      ROWS.replace(manager, ['one'], [row('a', 'one', 1), row('b', 'one', 7), row('e', 'three', 5)]),
    );
    const after = await found();
    expect(values(after)).toEqual(['a 1', 'b 7', 'c 3', 'e 5']);
    expect(after[0]).toEqual(before[0]);
  });

  it('that should have had none are what is given all the same', async () => {
    await inTransaction((manager) => ROWS.replace(manager, [], [row('c', 'two', 9)]));
    expect(values(await found())).toEqual(['a 1', 'b 2', 'c 9']);
  });

  it('that had none are written without reading the table, by one plan for good', async () => {
    const prepared = await inTransaction(async (manager) => {
      await ROWS.replace(manager, [], [row('x', 'ten', 1)]);
      await ROWS.replace(manager, ['eleven'], [row('y', 'twelve', 1)]);
      return manager.query(
        `SELECT statement FROM pg_prepared_statements WHERE name = 'rows-added-kept_rows' AND $1::integer = 1`,
        [1],
      );
    });
    expect(prepared).toHaveLength(1);
    expect(prepared[0].statement).not.toMatch(/(FROM|JOIN) kept_rows/);
    expect(values(await found())).toEqual(['a 1', 'b 2', 'c 3', 'x 1', 'y 1']);
  });
});
