import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../time/clock.js';

const INTERVAL_MS = 60_000;
const BATCH = 1000;

// Rows that a request or another process holds are left for the next round.
const DELETE_BATCH = `
  DELETE FROM idempotency_records WHERE scope_hash IN (
    SELECT scope_hash FROM idempotency_records WHERE expires_at <= $1
    ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`;

/** Deletes records past their retention (spec: Limits, idempotency rule 5). */
@Injectable()
export class IdempotencySweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('idempotency');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.sweepQuietly();
    }, INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Deletes everything that has expired, in batches; returns how many records. */
  async sweep(): Promise<number> {
    let deleted = 0;
    for (let batch = BATCH; batch === BATCH && !this.stopped; deleted += batch) {
      [, batch] = await this.dataSource.query<[unknown[], number]>(DELETE_BATCH, [this.clock.now()]);
    }
    return deleted;
  }

  private async sweepQuietly(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      this.logger.warn(`Expired idempotency records stay until the next round: ${String(error)}`);
    }
  }
}
