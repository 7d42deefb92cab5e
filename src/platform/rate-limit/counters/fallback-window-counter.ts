import { Logger } from '@nestjs/common';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Clock } from '../../time/clock.js';
import { UNLIMITED, type WindowCount, type WindowCounter } from './window-counter.js';

/** How long the store is left alone after it failed, so that not every request waits for it in vain. */
const PAUSE_MS = 1_000;

/**
 * A counter that always answers: while the store is away, each process counts by itself in memory. The quota then
 * holds per process; it is never lifted, and the service stays up (docs/decisions/http.md#rate-limits).
 */
export class FallbackWindowCounter implements WindowCounter {
  private readonly logger = new Logger('rate-limit');
  private readonly insurance = new RateLimiterMemory({ points: UNLIMITED, duration: 60 });
  private retryAtMs = 0;

  constructor(
    private readonly store: WindowCounter,
    private readonly clock: Clock,
  ) {}

  /** True while the memory of this process answers in place of the store. */
  get isOnFallback(): boolean {
    return this.retryAtMs !== 0;
  }

  async add(key: string, points: number, windowMs: number): Promise<WindowCount> {
    if (this.clock.nowMs() < this.retryAtMs) return this.addInMemory(key, points, windowMs);
    try {
      const count = await this.store.add(key, points, windowMs);
      if (this.isOnFallback) this.logger.log('The rate-limit store answers again');
      this.retryAtMs = 0;
      return count;
    } catch (error) {
      // A store that refuses what it was given is there for all other keys.
      if (isOfTheData(error)) {
        this.logger.error(`A rate limit of one key holds per process, its store refused it: ${String(error)}`);
        return this.addInMemory(key, points, windowMs);
      }
      if (!this.isOnFallback) this.logger.warn(`Rate limits hold per process, their store is away: ${String(error)}`);
      this.retryAtMs = this.clock.nowMs() + PAUSE_MS;
      return this.addInMemory(key, points, windowMs);
    }
  }

  close(): Promise<void> {
    return this.store.close();
  }

  private async addInMemory(key: string, points: number, windowMs: number): Promise<WindowCount> {
    const result = await this.insurance.penalty(key, points, { customDuration: windowMs / 1000 });
    return { consumed: result.consumedPoints, msLeft: result.msBeforeNext };
  }
}

/** True for an error that the statement's values have caused (SQLSTATE class 22), and no outage. */
function isOfTheData(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^22...$/.test(error.code);
}
