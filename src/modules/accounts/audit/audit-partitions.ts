import type { EntityManager } from 'typeorm';
import { firstIdAt } from '#libs/kernel';
import {
  ATTACH_NEW_OTHERS,
  attachMonth,
  detachTable,
  DROP_STRAYS,
  FREE_NAME_OF_INDEX,
  INSERT_STRAYS,
  LIMIT_WAITING,
  MONTHS_OF_OTHERS,
  OTHERS,
  refuseChanges,
  RENAME_OTHERS,
  TABLES_OF_MONTHS,
  TAKE_TURN,
} from './audit-partitions.sql.js';

/** Number of coming months whose tables are made in advance. */
const MONTHS_AHEAD = 2;
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
    if (strays.length > 0) await this.manager.query(detachTable(OTHERS));
    if (strays.length > 0) await this.manager.query(RENAME_OTHERS);
    if (strays.length > 0) await this.makeOthers();
    for (const month of missing) await this.make(month);
    if (strays.length > 0) await this.manager.query(INSERT_STRAYS);
    if (strays.length > 0) await this.manager.query(DROP_STRAYS);
    return missing.length;
  }

  /** Detaches the months that had ended at `before`. Returns their number. */
  async detachOver(before: Date): Promise<number> {
    await this.takeTurn();
    const months = (await this.months(true)).filter(({ end }) => end.getTime() <= before.getTime());
    for (const { table } of months) {
      await this.manager.query(detachTable(table));
      await this.manager.query(refuseChanges(table, 'audit_events_over', 'INSERT OR DELETE'));
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
    await this.manager.query(TAKE_TURN);
    await this.manager.query(LIMIT_WAITING);
  }

  private async months(isPart: boolean): Promise<Month[]> {
    const tables = await this.manager.query<{ name: string; isPart: boolean }[]>(TABLES_OF_MONTHS);
    return tables.filter((table) => table.isPart === isPart).flatMap(({ name }) => Month.ofTable(name) ?? []);
  }

  /** The wanted months that have no table, neither attached nor detached; each once. */
  private async missing(wanted: readonly Month[]): Promise<Month[]> {
    const tables = await this.manager.query<{ name: string }[]>(TABLES_OF_MONTHS);
    const known = new Set(tables.map(({ name }) => name));
    return [...new Map(wanted.map((month) => [month.table, month])).values()].filter(({ table }) => !known.has(table));
  }

  private async make({ table, start, end }: Month): Promise<void> {
    const [from, to] = [firstIdAt('audit', start.getTime()), firstIdAt('audit', end.getTime())];
    await this.manager.query(attachMonth(table, from, to));
    await this.manager.query(refuseChanges(table, 'audit_events_append_only', 'UPDATE OR TRUNCATE'));
  }

  private async makeOthers(): Promise<void> {
    await this.manager.query(FREE_NAME_OF_INDEX);
    await this.manager.query(ATTACH_NEW_OTHERS);
    await this.manager.query(refuseChanges(OTHERS, 'audit_events_append_only', 'UPDATE OR TRUNCATE'));
  }
}
