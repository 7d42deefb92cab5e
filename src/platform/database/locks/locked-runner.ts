import type { Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { type LockName, SessionLock } from './session-lock.js';

/** What is done again and again, and by whom. */
export interface LockedWork {
  databaseUrl: string;
  lock: LockName;
  /** How often it is looked whether there is something to do. */
  everyMs: number;
  /** What it means for users that a round fails, in words, for the log. */
  failure: string;
}

/** Does a work in one process of several, at the start and then regularly, until the application ends. */
export abstract class LockedRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly lock: SessionLock;
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  /** Whether the last round failed: what is known is not said again. */
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

  /** What there is to do now. @param signal aborted when the application ends: what is left then, the next round finds. */
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
