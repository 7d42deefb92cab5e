import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { DataSource } from 'typeorm';

const INTERVAL_MS = 60_000;
const BATCH = 1000;

/**
 * Deletes one batch of rows by primary key. Rows that a request or another process holds are left for the next round.
 * @param where SQL that says which rows are over; $1 is the time that `deleteAll` is given.
 */
export function deleteBatch(
  table: string,
  key: string,
  where = 'expires_at <= $1',
  oldestFirst = 'expires_at',
): string {
  return `DELETE FROM ${table} WHERE (${key}) IN (
    SELECT ${key} FROM ${table} WHERE ${where}
    ORDER BY ${oldestFirst} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`;
}

/** Deletes rows that are over once a minute, in batches, until the application ends. */
export abstract class ExpiredRowsSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger: Logger;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<number> = Promise.resolve(0);
  private stopped = false;

  /** @param rows what is deleted, in words, for the log. */
  protected constructor(
    private readonly dataSource: DataSource,
    logContext: string,
    private readonly rows: string,
  ) {
    this.logger = new Logger(logContext);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.sweep().catch((error: unknown) => {
        this.logger.warn(`Expired ${this.rows} stay until the next round: ${String(error)}`);
        return 0;
      });
    }, INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Deletes everything that is over; returns how many rows. */
  abstract sweep(): Promise<number>;

  /** Runs a statement of `deleteBatch` until nothing is left; returns how many rows were deleted. */
  protected async deleteAll(statement: string, until: Date): Promise<number> {
    let deleted = 0;
    for (let batch = BATCH; batch === BATCH && !this.stopped; deleted += batch) {
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
    for (let last = batch; last === batch && !this.stopped; all += last) {
      const [row] = await this.dataSource.query<{ changed: number }[]>(statement, [...values]);
      last = row?.changed ?? 0;
    }
    return all;
  }
}
