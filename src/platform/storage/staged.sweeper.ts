import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../time/clock.js';
import { ObjectStore } from './object-store.js';

const INTERVAL_MS = 3_600_000;
/** Longer than any upload may take: what is older belongs to a process that died. */
const ORPHANED_MS = 7_200_000;

/** Removes what uploads left behind whose process died, at the start and every hour. */
@Injectable()
export class StagedSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('storage');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: ObjectStore,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.sweepQuietly();
    this.timer = setInterval(() => {
      this.running = this.sweepQuietly();
    }, INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Removes everything that is orphaned; returns how many objects. @throws StorageUnavailableError. */
  sweep(): Promise<number> {
    return this.store.sweep(new Date(this.clock.nowMs() - ORPHANED_MS));
  }

  private async sweepQuietly(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      this.logger.warn({ err: error }, 'Unfinished uploads stay until the next round');
    }
  }
}
