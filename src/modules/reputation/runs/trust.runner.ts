import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { SessionLock } from '../../../platform/database/locks/session-lock.js';
import { TrustRuns } from './trust-runs.js';
import { TrustStatus } from './trust-status.js';
import { RunStoppedError } from './trust-thread.js';

/**
 * Interval of checking whether a run is due. It limits how late another process takes over, and how late a change of
 * verified buyers takes effect.
 */
const LOOK_MS = 3_000;

/** Makes the trust runs in one process of several, from the start of the service to its end. */
@Injectable()
export class TrustRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Trust');
  private readonly stopping = new AbortController();
  private readonly lock: SessionLock;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly environment: Environment,
    private readonly runs: TrustRuns,
    private readonly status: TrustStatus,
  ) {
    this.lock = new SessionLock(environment.databaseUrl, { keys: [0x7a5c, 0x3e40], application: 'tasktree-trust' });
  }

  onApplicationBootstrap(): void {
    if (this.environment.indexerEnabled) this.running = this.follow();
  }

  /** Gives up a running run; the next run computes its results again. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async follow(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.turn();
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
    this.status.runner = false;
    await this.lock.release();
  }

  /** Makes a run if this process has the lock and one is due. Never rejects. */
  private async turn(): Promise<void> {
    try {
      this.status.runner = await this.lock.acquire();
      if (this.status.runner && (await this.runs.isDue())) await this.runs.run(this.stopping.signal);
    } catch (error) {
      if (error instanceof RunStoppedError) return;
      this.logger.warn(`Trust stays as the last run has left it: ${String(error)}`);
    }
  }
}
