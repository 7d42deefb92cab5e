import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ChainUnavailableError } from '../../../platform/chain/rpc/chain-unavailable.error.js';
import { Environment } from '../../../platform/config/environment.js';
import { ChainIdentity } from '../indexed-chain/chain-identity.js';
import { ChainTime } from './chain-time.js';
import { IndexerStatus } from '../indexed-chain/indexer-status.js';
import { IndexerService } from './indexer.service.js';
import { IndexerLock } from './indexer-lock.js';

/** Longest pause, after failures and in a process that does not index: it bounds how late the index moves on. */
const MAX_PAUSE_MS = 3_000;
const FIRST_PAUSE_MS = 100;

/** Keeps the index running in one process of several, from the start of the service to its end. */
@Injectable()
export class IndexerRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Indexer');
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private failures = 0;

  constructor(
    private readonly environment: Environment,
    private readonly identity: ChainIdentity,
    private readonly indexer: IndexerService,
    private readonly lock: IndexerLock,
    private readonly time: ChainTime,
    private readonly status: IndexerStatus,
  ) {}

  /** @throws ChainConfigurationError, which stops the start, when the database belongs to another chain. */
  async onApplicationBootstrap(): Promise<void> {
    await this.identity.claim();
    if (this.environment.indexerEnabled) this.running = this.run();
  }

  /** Lets the step under way end, then releases the lock. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const pauseMs = await this.turn();
      await sleep(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
    await this.indexer.stop();
    this.status.runner = false;
    await this.lock.release();
  }

  /** One turn; never rejects. Returns the milliseconds until the next. */
  private async turn(): Promise<number> {
    try {
      const pauseMs = await this.work();
      this.recovered();
      return pauseMs;
    } catch (error) {
      this.failed(error);
      const pauseMs = FIRST_PAUSE_MS * 2 ** Math.min(this.failures, 10);
      return Math.min(MAX_PAUSE_MS, pauseMs);
    }
  }

  private async work(): Promise<number> {
    const isRunner = await this.lock.acquire();
    if (isRunner !== this.status.runner) {
      this.status.runner = isRunner;
      this.logger.log(isRunner ? 'This process indexes the chain' : 'Another process indexes the chain');
    }
    const more = isRunner ? await this.indexer.advance() : await this.indexer.poll();
    await this.time.follow();
    if (isRunner) return more === 'again' ? 0 : this.environment.chainPollMs;
    return Math.min(MAX_PAUSE_MS, this.environment.chainPollMs);
  }

  private recovered(): void {
    if (this.failures > 0) this.logger.log(`Works again after ${this.failures} failed attempts`);
    this.failures = 0;
    this.status.lastError = null;
  }

  private failed(error: unknown): void {
    const reason = reasonOf(error);
    if (reason !== this.status.lastError) this.logger.warn(`Cannot go on for the moment: ${reason}`);
    this.status.lastError = reason;
    this.failures += 1;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ChainUnavailableError) return `the chain cannot be asked (${error.detail})`;
  return error instanceof Error ? error.message : String(error);
}
