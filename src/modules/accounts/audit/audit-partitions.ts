import type { EntityManager } from 'typeorm';
import { firstIdAt } from '#libs/kernel';

/** Number of coming months whose tables are made in advance. */
const MONTHS_AHEAD = 2;
/** Serialises the processes that maintain the tables at the same moment. The lock's numbers are arbitrary. */
const LOCK = 'SELECT pg_advisory_xact_lock(7305, 36)';
/** Limits how long a sign-in can wait behind this work; when the lock times out, a later round does the work. */
const PATIENCE = `SET LOCAL lock_timeout = '2s'`;
const OTHERS = 'audit_events_other';
const STRAY = 'audit_events_stray';
const NAME = /^audit_events_(\d{4})_(\d{2})$/;

/** One calendar month (UTC) of the record. */
class Month {
  private constructor(readonly start: Date) {}

  static of(moment: Date): Month {
    return new Month(new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth())));
  }

  /** The month of a table name; null when the table is not a month's. */
  static ofTable(name: string): Month | null {
    const [, year, month] = NAME.exec(name) ?? [];
    return year === undefined ? null : new Month(new Date(Date.UTC(Number(year), Number(month) - 1)));
  }

  get end(): Date {
    return this.plus(1).start;
  }

  get table(): string {
    return `audit_events_${this.start.toISOString().slice(0, 7).replace('-', '_')}`;
  }

  plus(months: number): Month {
    return new Month(new Date(Date.UTC(this.start.getUTCFullYear(), this.start.getUTCMonth() + months)));
  }
}

const REFUSE = (table: string, name: string, what: string): string => `CREATE OR REPLACE TRIGGER ${name}
  BEFORE ${what} ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`;

/** Tables of months: partitions of the record, and detached tables that are not archived yet. */
const TABLES = `SELECT relname AS name, relispartition AS "isPart" FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname LIKE 'audit\\_events\\_%' ORDER BY relname`;
/** Months of the events that were written while their month had no table. */
const MONTHS_OF_OTHERS = `SELECT DISTINCT date_trunc('month', occurred_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' AS month
  FROM ${OTHERS}`;

/**
 * The tables of the audit record: one partition per month (UTC) of the time in an event's id, and a default partition
 * for events of other months. A month past its retention is detached as a whole. Its table then refuses every change,
 * and stays until an operator's command has archived it. Every method must run in a transaction.
 */
export class AuditPartitions {
  constructor(private readonly manager: EntityManager) {}

  /**
   * Makes the missing tables of this month, of the next MONTHS_AHEAD months, and of all months with events in the
   * default partition. Returns the number of tables made.
   */
  async prepare(now: Date): Promise<number> {
    await this.takeTurn();
    const strays = await this.manager.query<{ month: Date }[]>(MONTHS_OF_OTHERS);
    const ahead = Array.from({ length: MONTHS_AHEAD + 1 }, (_, index) => Month.of(now).plus(index));
    const wanted = [...ahead, ...strays.map(({ month }) => Month.of(month))];
    const missing = await this.missing(wanted);
    if (missing.length === 0) return 0;
    if (strays.length > 0) await this.manager.query(`ALTER TABLE audit_events DETACH PARTITION ${OTHERS}`);
    if (strays.length > 0) await this.manager.query(`ALTER TABLE ${OTHERS} RENAME TO ${STRAY}`);
    if (strays.length > 0) await this.makeOthers();
    for (const month of missing) await this.make(month);
    if (strays.length > 0) await this.manager.query(`INSERT INTO audit_events SELECT * FROM ${STRAY}`);
    if (strays.length > 0) await this.manager.query(`DROP TABLE ${STRAY}`);
    return missing.length;
  }

  /** Detaches the months that had ended at `before`. Returns their number. */
  async detachOver(before: Date): Promise<number> {
    await this.takeTurn();
    const months = (await this.months(true)).filter(({ end }) => end.getTime() <= before.getTime());
    for (const { table } of months) {
      await this.manager.query(`ALTER TABLE audit_events DETACH PARTITION ${table}`);
      await this.manager.query(REFUSE(table, 'audit_events_over', 'INSERT OR DELETE'));
    }
    return months.length;
  }

  /** Names of the detached tables, oldest first. */
  async detached(): Promise<string[]> {
    return (await this.months(false)).map(({ table }) => table);
  }

  /**
   * Takes the advisory lock before any read of the record. A process that had read first would hold a lock on the table
   * while it waits for its turn, and the process whose turn it is would wait for that table lock. Waiting for the
   * advisory lock blocks nobody, so it has no timeout.
   */
  private async takeTurn(): Promise<void> {
    await this.manager.query(LOCK);
    await this.manager.query(PATIENCE);
  }

  private async months(isPart: boolean): Promise<Month[]> {
    const tables = await this.manager.query<{ name: string; isPart: boolean }[]>(TABLES);
    return tables.filter((table) => table.isPart === isPart).flatMap(({ name }) => Month.ofTable(name) ?? []);
  }

  /** The wanted months that have no table, neither attached nor detached; each once. */
  private async missing(wanted: readonly Month[]): Promise<Month[]> {
    const tables = await this.manager.query<{ name: string }[]>(TABLES);
    const known = new Set(tables.map(({ name }) => name));
    return [...new Map(wanted.map((month) => [month.table, month])).values()].filter(({ table }) => !known.has(table));
  }

  private async make({ table, start, end }: Month): Promise<void> {
    const [from, to] = [start, end].map((moment) => firstIdAt('audit', moment.getTime()));
    await this.manager.query(
      `CREATE TABLE ${table} PARTITION OF audit_events FOR VALUES FROM ('${from}') TO ('${to}')`,
    );
    await this.manager.query(REFUSE(table, 'audit_events_append_only', 'UPDATE OR TRUNCATE'));
  }

  private async makeOthers(): Promise<void> {
    // The renamed table keeps its index, whose name the new table needs.
    await this.manager.query(`ALTER INDEX IF EXISTS ${OTHERS}_pkey RENAME TO ${STRAY}_pkey`);
    await this.manager.query(`CREATE TABLE ${OTHERS} PARTITION OF audit_events DEFAULT`);
    await this.manager.query(REFUSE(OTHERS, 'audit_events_append_only', 'UPDATE OR TRUNCATE'));
  }
}
