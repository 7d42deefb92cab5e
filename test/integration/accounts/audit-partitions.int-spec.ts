import { DataSource } from 'typeorm';
import { newId } from '../../../libs/kernel/src/index.js';
import { entities } from '../../../src/entities.js';
import { migrations } from '../../../src/migrations.js';
import { AuditPartitions1700000000036 } from '../../../src/migrations/1700000000036-audit-partitions.js';
import { AuditPartitions } from '../../../src/modules/accounts/audit/audit-partitions.js';
import { dataSourceOptions } from '../../../src/platform/database/data-source.options.js';
import { createDatabase, createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';

const DAY_MS = 86_400_000;
const at = (text: string) => new Date(`${text}T12:00:00.000Z`);

let dataSource: DataSource;
beforeEach(async () => {
  ({ dataSource } = await createMigratedDatabase());
});
afterEach(() => dataSource?.destroy());

const insert = (moment: Date, accountId: string | null = 'acct_a', id = newId('audit', moment.getTime())) =>
  dataSource.query(
    `INSERT INTO audit_events (id, occurred_at, request_id, event, account_id, detail) VALUES ($1, $2, 'req', 'x', $3, '{"a": 1}')`,
    [id, moment, accountId],
  );
const partitions = <T>(work: (own: AuditPartitions) => Promise<T>): Promise<T> =>
  dataSource.transaction((manager) => work(new AuditPartitions(manager)));
const count = async (from: string): Promise<number> =>
  (await dataSource.query<{ n: number }[]>(`SELECT count(*)::int AS n FROM ${from}`))[0]!.n;
const tableOf = async (moment: Date): Promise<string> =>
  (
    await dataSource.query<{ name: string }[]>(
      'SELECT tableoid::regclass::text AS name FROM audit_events WHERE occurred_at = $1',
      [moment],
    )
  )[0]!.name;
const refusal = expect.objectContaining({ message: expect.stringContaining('append-only') });

describe('the months of the record', () => {
  it('take the rows of a table that was there before, which are read as they were, also after a way back', async () => {
    const name = new AuditPartitions1700000000036().name;
    const before = migrations.slice(
      0,
      migrations.findIndex((one) => one === AuditPartitions1700000000036),
    );
    const url = await createDatabase();
    const old = new DataSource(dataSourceOptions(url, { entities, migrations: before }));
    await old.initialize();
    await old.runMigrations();
    const moments = [at('2025-12-31'), at('2026-01-01'), at('2026-07-15'), new Date(Date.now() - DAY_MS)];
    const ids = moments.map((moment) => newId('audit', moment.getTime()));
    ids.push('audit_made_by_hand');
    moments.push(at('2026-03-03'));
    for (const [index, id] of ids.entries()) {
      await old.query(
        `INSERT INTO audit_events (id, occurred_at, event, account_id, detail) VALUES ($1, $2, 'x', 'acct_a', '{"a": [1]}')`,
        [id, moments[index]],
      );
    }
    const rows = await old.query('SELECT * FROM audit_events ORDER BY id');
    await old.destroy();
    const now = new DataSource(
      dataSourceOptions(url, { entities, migrations: [...before, AuditPartitions1700000000036] }),
    );
    await now.initialize();
    try {
      expect((await now.runMigrations()).map((done) => done.name)).toEqual([name]);
      expect(await now.query('SELECT * FROM audit_events ORDER BY id')).toEqual(rows);
      const held = await now.query('SELECT tableoid::regclass::text AS name FROM audit_events ORDER BY name');
      expect(held.map((row: { name: string }) => row.name)).toEqual(
        expect.arrayContaining([
          'audit_events_2025_12',
          'audit_events_2026_01',
          'audit_events_2026_07',
          'audit_events_other',
        ]),
      );
      await expect(now.query("UPDATE audit_events SET event = 'y'")).rejects.toEqual(refusal);
      await now.undoLastMigration();
      expect(await now.query('SELECT * FROM audit_events ORDER BY id')).toEqual(rows);
    } finally {
      await now.destroy();
    }
  });

  it('are made before they begin, by one of several processes, and again nothing is done', async () => {
    const now = at('2031-11-30');
    const made = await Promise.all([1, 2, 3].map(() => partitions((own) => own.prepare(now))));
    expect(made.toSorted((a, b) => a - b)).toEqual([0, 0, 3]);
    for (const [moment, table] of [
      ['2031-11-30', 'audit_events_2031_11'],
      ['2031-12-31', 'audit_events_2031_12'],
      ['2032-01-31', 'audit_events_2032_01'],
    ] as const) {
      await insert(at(moment));
      expect(await tableOf(at(moment))).toBe(table);
    }
    expect(await partitions((own) => own.prepare(now))).toBe(0);
  });

  it('are made in turns: who waits for its own holds nothing that the one before needs', async () => {
    const now = at('2031-11-30');
    const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    let second: Promise<number> | undefined;
    const first = await dataSource.transaction(async (manager) => {
      await manager.query('SELECT pg_advisory_xact_lock(7305, 36)');
      second = partitions((own) => own.prepare(now));
      second.catch(() => undefined);
      await eventually(async () => (await dataSource.query(waiting)).length > 0);
      return new AuditPartitions(manager).prepare(now);
    });
    expect([first, await second]).toEqual([3, 0]);
  });

  it('that nobody foresaw lose no event: it lands, and has its own month with the next round', async () => {
    await insert(at('2033-05-05'));
    await insert(at('2019-05-05'), null);
    await insert(at('2033-06-06'), 'acct_a', 'audit_made_by_hand');
    expect(await tableOf(at('2033-05-05'))).toBe('audit_events_other');
    const rows = await dataSource.query('SELECT * FROM audit_events ORDER BY id');
    expect(await partitions((own) => own.prepare(new Date()))).toBe(3);
    expect(await dataSource.query('SELECT * FROM audit_events ORDER BY id')).toEqual(rows);
    expect([await tableOf(at('2033-05-05')), await tableOf(at('2019-05-05'))]).toEqual([
      'audit_events_2033_05',
      'audit_events_2019_05',
    ]);
    // An id that contains no time belongs to no month, so its event stays in the default partition.
    expect(await tableOf(at('2033-06-06'))).toBe('audit_events_other');
    expect(await partitions((own) => own.prepare(new Date()))).toBe(0);
    await insert(at('2034-05-05'));
    expect(await partitions((own) => own.prepare(new Date()))).toBe(1);
    await expect(dataSource.query('TRUNCATE audit_events_other')).rejects.toEqual(refusal);
  });

  it('take no change and no early deletion, neither as a whole nor each by its own name', async () => {
    const now = new Date();
    await insert(now);
    const table = await tableOf(now);
    for (const name of ['audit_events', table]) {
      await expect(dataSource.query(`UPDATE ${name} SET event = 'y'`)).rejects.toEqual(refusal);
      await expect(dataSource.query(`TRUNCATE ${name}`)).rejects.toEqual(refusal);
      await expect(dataSource.query(`DELETE FROM ${name}`)).rejects.toEqual(
        expect.objectContaining({ message: expect.stringContaining('younger than 30 days') }),
      );
    }
    expect(await count('audit_events')).toBe(1);
  });

  it('leave the record whole, only when all of them is over, and take nothing any more', async () => {
    await insert(at('2024-01-31'));
    await insert(at('2024-02-01'));
    await partitions((own) => own.prepare(new Date()));
    const endOfJanuary = new Date('2024-02-01T00:00:00.000Z');
    expect(await partitions((own) => own.detachOver(new Date(endOfJanuary.getTime() - 1)))).toBe(0);
    expect(await partitions((own) => own.detachOver(endOfJanuary))).toBe(1);
    expect([await count('audit_events'), await count('audit_events_2024_01')]).toEqual([1, 1]);
    expect(await partitions((own) => own.detached())).toEqual(['audit_events_2024_01']);
    for (const change of [
      "UPDATE audit_events_2024_01 SET event = 'y'",
      'DELETE FROM audit_events_2024_01',
      'TRUNCATE audit_events_2024_01',
      'INSERT INTO audit_events_2024_01 SELECT * FROM audit_events',
    ]) {
      await expect(dataSource.query(change)).rejects.toEqual(refusal);
    }
    // An event that arrives for a month already detached stays in the record, in the default partition.
    await insert(at('2024-01-15'));
    expect(await partitions((own) => own.prepare(new Date()))).toBe(0);
    expect(await tableOf(at('2024-01-15'))).toBe('audit_events_other');
  });
});
