import type { MigrationInterface, QueryRunner } from 'typeorm';
import { firstIdAt } from '#libs/kernel';

const COLUMNS = `id text NOT NULL,
     occurred_at timestamptz(3) NOT NULL,
     request_id text,
     event text NOT NULL,
     account_id text,
     client_id text,
     credential_id text,
     detail jsonb NOT NULL,
     CONSTRAINT audit_events_pkey PRIMARY KEY (id)`;

/** Renames the old table and frees the names of its constraint and indexes, for a new table with the same columns. */
const MOVE_AWAY: readonly string[] = [
  'ALTER TABLE audit_events RENAME TO audit_events_before',
  'ALTER TABLE audit_events_before DROP CONSTRAINT audit_events_pkey',
  'DROP INDEX audit_events_account_id_id_idx, audit_events_occurred_at_idx, audit_events_anonymous_occurred_at_idx',
];
const MOVE_BACK: readonly string[] = [
  'INSERT INTO audit_events SELECT * FROM audit_events_before',
  'DROP TABLE audit_events_before',
];

const INDEXES: readonly string[] = [
  `CREATE INDEX audit_events_account_id_id_idx ON audit_events (account_id, id) WHERE account_id IS NOT NULL`,
  `CREATE INDEX audit_events_occurred_at_idx ON audit_events (occurred_at)`,
  `CREATE INDEX audit_events_anonymous_occurred_at_idx ON audit_events (occurred_at)
     WHERE account_id IS NULL AND request_id IS NOT NULL`,
];
/**
 * A row trigger on the parent holds for every partition, but a statement trigger holds only for the table that the
 * statement names, so each table needs its own.
 */
const appendOnly = (
  table: string,
): string => `CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR TRUNCATE ON ${table}
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`;
const KEPT = `CREATE TRIGGER audit_events_kept BEFORE DELETE ON audit_events
     FOR EACH ROW EXECUTE FUNCTION refuse_young_audit_deletion()`;

const MONTHS_AHEAD = 2;

/** The starts of the months from the month of `first` to the month of `last`, both included. */
function monthsBetween(first: Date, last: Date): Date[] {
  const months: Date[] = [];
  for (let n = 0; ; n += 1) {
    const month = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + n));
    if (month > last) return months;
    months.push(month);
  }
}

/**
 * Partitions the audit record by month, so that a past month can be detached and archived as a whole, without deleting
 * rows.
 */
export class AuditPartitions1700000000036 implements MigrationInterface {
  readonly name = 'AuditPartitions1700000000036';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of MOVE_AWAY) await runner.query(statement);
    await runner.query(`CREATE TABLE audit_events (${COLUMNS}) PARTITION BY RANGE (id)`);
    await runner.query('CREATE TABLE audit_events_other PARTITION OF audit_events DEFAULT');
    const [known] = (await runner.query(
      'SELECT least(min(occurred_at), now()) AS first, now() AS now FROM audit_events_before',
    )) as [{ first: Date; now: Date }];
    const last = new Date(Date.UTC(known.now.getUTCFullYear(), known.now.getUTCMonth() + MONTHS_AHEAD));
    const tables = ['audit_events', 'audit_events_other'];
    for (const month of monthsBetween(known.first, last)) {
      const next = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1));
      const [from, to] = [month, next].map((moment) => firstIdAt('audit', moment.getTime()));
      const table = `audit_events_${month.toISOString().slice(0, 7).replace('-', '_')}`;
      await runner.query(`CREATE TABLE ${table} PARTITION OF audit_events FOR VALUES FROM ('${from}') TO ('${to}')`);
      tables.push(table);
    }
    for (const statement of [...MOVE_BACK, ...INDEXES, ...tables.map(appendOnly), KEPT]) await runner.query(statement);
  }

  /** Partitions that were already detached stay tables of their own. */
  async down(runner: QueryRunner): Promise<void> {
    for (const statement of MOVE_AWAY) await runner.query(statement);
    await runner.query(`CREATE TABLE audit_events (${COLUMNS})`);
    for (const statement of [...MOVE_BACK, ...INDEXES, appendOnly('audit_events'), KEPT]) await runner.query(statement);
  }
}
