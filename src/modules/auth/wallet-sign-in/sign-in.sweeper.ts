import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../../platform/time/clock.js';

const INTERVAL_MS = 60_000;
const BATCH = 1000;
/** So long after its end a row still tells a late caller, and the record, what was wrong. */
const GRACE_MS = 3_600_000;

// Rows that a request or another process holds are left for the next round.
const DELETE_BATCHES = ['wallet_challenges', 'browser_sessions'].map(
  (table) => `
  DELETE FROM ${table} WHERE id IN (
    SELECT id FROM ${table} WHERE expires_at <= $1
    ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
);

/** Deletes challenges and browser sessions an hour after they have expired. */
@Injectable()
export class SignInSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('sign-in');
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

  /** Deletes everything that is old enough, in batches; returns how many rows. */
  async sweep(): Promise<number> {
    let deleted = 0;
    for (const statement of DELETE_BATCHES) {
      for (let batch = BATCH; batch === BATCH && !this.stopped; deleted += batch) {
        const before = new Date(this.clock.wallMs() - GRACE_MS);
        [, batch] = await this.dataSource.query<[unknown[], number]>(statement, [before]);
      }
    }
    return deleted;
  }

  private async sweepQuietly(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      this.logger.warn(`Expired challenges and sessions stay until the next round: ${String(error)}`);
    }
  }
}
