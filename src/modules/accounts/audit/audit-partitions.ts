import type { EntityManager } from 'typeorm';
import { firstIdAt } from '#libs/kernel';

/** The month after this one and the one behind it have their tables before they begin. */
const MONTHS_AHEAD = 2;
/** Processes that look after the tables at the same moment take turns; the digits have no meaning. */
const LOCK = 'SELECT pg_advisory_xact_lock(7305, 36)';
/** Nobody's sign-in waits for this work longer: it is done in another round. */
const PATIENCE = `SET LOCAL lock_timeout = '2s'`;
const OTHERS = 'audit_events_other';
const STRAY = 'audit_events_stray';
const NAME = /^audit_events_(\d{4})_(\d{2})$/;

/** One month of the record, by its first moment. */
class Month {
  private constructor(readonly start: Date) {}

  static of(moment: Date): Month {
    return new Month(new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth())));
  }

  /** Of a month's table; null for any other table. */
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

/** Tables of months that are part of the record, and those that were taken out of it and are not in an archive yet. */
const TABLES = `SELECT relname AS name, relispartition AS "isPart" FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname LIKE 'audit\\_events\\_%' ORDER BY relname`;
/** Months of events that came when their month had no table. */
const MONTHS_OF_OTHERS = `SELECT DISTINCT date_trunc('month', occurred_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' AS month
  FROM ${OTHERS}`;

/**
 * The record is one table per month (UTC), by the time that an event's id carries, and one for events whose month nobody had
 * foreseen. A month that is over is taken out of the record as a whole and stays a table, which takes no change at all,
 * until an operator's command has written it to an archive. Every method wants a transaction.
 */
export class AuditPartitions {
  constructor(private readonly manager: EntityManager) {}

  /** Makes the tables of this month and the next ones, and of events that came without; returns how many were missing. */
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

  /** Takes the months out of the record that were over at `before`; returns how many. */
  async detachOver(before: Date): Promise<number> {
    await this.takeTurn();
    const months = (await this.months(true)).filter(({ end }) => end.getTime() <= before.getTime());
    for (const { table } of months) {
      await this.manager.query(`ALTER TABLE audit_events DETACH PARTITION ${table}`);
      await this.manager.query(REFUSE(table, 'audit_events_over', 'INSERT OR DELETE'));
    }
    return months.length;
  }

  /** Names of the tables that were taken out of the record, the oldest first. */
  async detached(): Promise<string[]> {
    return (await this.months(false)).map(({ table }) => table);
  }

  /**
   * Before anything of the record is read: whoever has read it holds a lock on it until the end, and would wait for its turn
   * while the process whose turn it is waits for that lock. Who waits for its turn keeps nobody waiting, so that it may last.
   */
  private async takeTurn(): Promise<void> {
    await this.manager.query(LOCK);
    await this.manager.query(PATIENCE);
  }

  private async months(isPart: boolean): Promise<Month[]> {
    const tables = await this.manager.query<{ name: string; isPart: boolean }[]>(TABLES);
    return tables.filter((table) => table.isPart === isPart).flatMap(({ name }) => Month.ofTable(name) ?? []);
  }

  /** Those of the months that have no table, in the record or out of it; each once. */
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
    // The name of its key stays with the table that gives way.
    await this.manager.query(`ALTER INDEX IF EXISTS ${OTHERS}_pkey RENAME TO ${STRAY}_pkey`);
    await this.manager.query(`CREATE TABLE ${OTHERS} PARTITION OF audit_events DEFAULT`);
    await this.manager.query(REFUSE(OTHERS, 'audit_events_append_only', 'UPDATE OR TRUNCATE'));
  }
}
