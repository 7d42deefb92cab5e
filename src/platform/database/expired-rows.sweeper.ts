import type { DataSource } from 'typeorm';
import { RegularWork } from '../time/regular-work.js';
import { DELETED_AT_ONCE } from './expired-rows.sql.js';

const INTERVAL_MS = 60_000;

/** Until the application ends, by default once a minute, deletes the rows that have expired, in batches. */
export abstract class ExpiredRowsSweeper extends RegularWork {
  /** @param rows what is deleted, in words, for the log. */
  protected constructor(
    private readonly dataSource: DataSource,
    logContext: string,
    rows: string,
    everyMs = INTERVAL_MS,
  ) {
    super(logContext, everyMs, `Expired ${rows} stay`);
  }

  /** Runs a statement of `deleteBatch` until nothing is left; returns how many rows were deleted. */
  protected async deleteAll(statement: string, until: Date): Promise<number> {
    let deleted = 0;
    for (let batch = DELETED_AT_ONCE; batch === DELETED_AT_ONCE && !this.isEnding; deleted += batch) {
      [, batch] = await this.dataSource.query<[unknown[], number]>(statement, [until]);
    }
    return deleted;
  }

  /**
   * Runs a statement that answers how many rows it has changed (`changed`), until it changes less than its batch; returns
   * how many rows were changed.
   */
  protected async changeAll(statement: string, values: readonly unknown[], batch: number): Promise<number> {
    let all = 0;
    for (let last = batch; last === batch && !this.isEnding; all += last) {
      const [row] = await this.dataSource.query<{ changed: number }[]>(statement, [...values]);
      last = row?.changed ?? 0;
    }
    return all;
  }
}
