import type { Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { type LockName, SessionLock } from './session-lock.js';

/** Regular work, and the lock that its process must hold. */
export interface LockedWork {
  databaseUrl: string;
  lock: LockName;
  /** Milliseconds from one round to the next. */
  everyMs: number;
  /** What it means for users that a round fails, in words, for the log. */
  failure: string;
}

/** Does regular work in one of several processes: at the start and then every `everyMs`, until the application ends. */
export abstract class LockedRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly lock: SessionLock;
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  /** Whether the last round failed: of several failures in a row, only the first is logged. */
  private isFailing = false;

  protected constructor(
    private readonly logger: Logger,
    private readonly work: LockedWork,
  ) {
    this.lock = new SessionLock(work.databaseUrl, work.lock);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.look(), this.work.everyMs).unref();
    this.look();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.timer);
    await this.running;
    await this.lock.release();
  }

  /**
   * Does what there is to do now.
   * @param signal aborted when the application ends; the next round finds what is left.
   */
  protected abstract round(signal: AbortSignal): Promise<void>;

  private look(): void {
    this.running ??= this.turn().finally(() => (this.running = null));
  }

  /** Never rejects. */
  private async turn(): Promise<void> {
    try {
      if (await this.lock.acquire()) await this.round(this.stopping.signal);
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.logger.warn(`${this.work.failure} until the next round: ${String(error)}`);
      this.isFailing = true;
    }
  }
}
