import type { Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import type { QueryConfig } from 'pg';
import { type LockName, SessionLock } from './session-lock.js';

/** Regular work, and the lock that its process must hold. */
export interface RepeatedWork {
  databaseUrl: string;
  lock: LockName;
  /** Milliseconds from one round to the next. */
  everyMs: number;
  /**
   * Milliseconds for which an answer about the lock, or a failure, holds, for rounds so frequent that asking costs as much as they do;
   * absent: it is asked before each round. Meanwhile two processes may do the work.
   */
  lockTrustedMs?: number;
  /** What it means for users that a round fails, in words, for the log. */
  failure: string;
}

/** Does regular work in one of several processes: at the start and then every `everyMs`, until the application ends. */
export abstract class SingleProcessRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly lock: SessionLock;
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  /** Whether the last round failed: of several failures in a row, only the first is logged. */
  private isFailing = false;
  private lockAnswer = { isHeld: false, atMs: -Infinity };
  /** True when the lock was last seen in another process, which therefore does the work. */
  protected isElsewhere = false;

  protected constructor(
    private readonly logger: Logger,
    private readonly work: RepeatedWork,
  ) {
    this.lock = new SessionLock(work.databaseUrl, work.lock);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.startRound(), this.work.everyMs).unref();
    this.startRound();
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

  /** Asks on the connection of the lock, so that an answer shows that this process holds it still. Within a round. */
  protected async ask<Row extends object>(statement: QueryConfig): Promise<Row[]> {
    const rows = await this.lock.ask<Row>(statement);
    this.lockAnswer = { isHeld: true, atMs: performance.now() };
    return rows;
  }

  private startRound(): void {
    this.running ??= this.runRound().finally(() => (this.running = null));
  }

  /** Never rejects. */
  private async runRound(): Promise<void> {
    try {
      if (!(await this.holdsLock())) return;
      await this.round(this.stopping.signal);
      this.isFailing = false;
    } catch (error) {
      this.lockAnswer = { isHeld: false, atMs: performance.now() };
      if (!this.isFailing) this.logger.warn(`${this.work.failure} until the next round: ${String(error)}`);
      this.isFailing = true;
    }
  }

  private async holdsLock(): Promise<boolean> {
    const nowMs = performance.now();
    if (nowMs - this.lockAnswer.atMs >= (this.work.lockTrustedMs ?? 0)) {
      const isHeld = await this.lock.acquire();
      this.lockAnswer = { isHeld, atMs: nowMs };
      this.isElsewhere = !isHeld;
    }
    return this.lockAnswer.isHeld;
  }
}
