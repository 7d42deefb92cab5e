import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { Clock } from '../time/clock.js';
import { FairShares, type Shares } from './counters/fair-shares.js';
import { FallbackWindowCounter } from './counters/fallback-window-counter.js';
import { LeasedWindows } from './counters/leased-windows.js';

type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** All limits of the service, counted in one shared store; also what `@nestjs/throttler` counts with. */
@Injectable()
export class RateLimitStore implements ThrottlerStorage, OnApplicationShutdown {
  private readonly buckets = new Map<string, LeasedWindows>();
  private readonly fairShares = new Map<string, FairShares>();
  private closed: Promise<void> | undefined;

  constructor(
    private readonly counter: FallbackWindowCounter,
    private readonly clock: Clock,
  ) {}

  /** The bucket of this name and size; one per process, whoever asks. @param windowMs whole seconds. */
  bucket(name: string, quota: number, windowMs: number): LeasedWindows {
    const id = `${name}/${quota}/${windowMs}`;
    const known = this.buckets.get(id);
    if (known) return known;
    const made = new LeasedWindows(name, quota, windowMs, this.counter, this.clock);
    this.buckets.set(id, made);
    return made;
  }

  /** The shares of this name; one object per process, whoever asks. */
  shares(name: string, shares: Shares): FairShares {
    const known = this.fairShares.get(name);
    if (known) return known;
    const made = new FairShares(name, shares, this.counter, this.clock);
    this.fairShares.set(name, made);
    return made;
  }

  /** The storage of the throttler package: one more hit on a key. @param ttl milliseconds. */
  async increment(key: string, ttl: number, limit: number, _block: number, name: string): Promise<ThrottlerRecord> {
    const { allowed, remaining, endsAtMs } = await this.bucket(name, limit, ttl).take(key);
    const seconds = Math.max(1, Math.ceil((endsAtMs - this.clock.nowMs()) / 1000));
    const totalHits = allowed ? limit - remaining : limit + 1;
    return { totalHits, timeToExpire: seconds, isBlocked: !allowed, timeToBlockExpire: allowed ? 0 : seconds };
  }

  /** Called twice: the throttler package provides this same object again, under a token of its own. */
  onApplicationShutdown(): Promise<void> {
    this.closed ??= this.counter.close();
    return this.closed;
  }
}
