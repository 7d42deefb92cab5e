import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { STORE_TIMEOUT_MS, storedKey, UNLIMITED, type WindowCount, type WindowCounter } from './window-counter.js';

const MAX_RECONNECT_DELAY_MS = 2_000;

/** Counts in Redis. */
export class RedisWindowCounter implements WindowCounter {
  private readonly redis: Redis;
  private readonly limiter: RateLimiterRedis;
  private opening: Promise<void> | undefined;

  constructor(redisUrl: string) {
    this.redis = new Redis(redisUrl, {
      lazyConnect: true,
      // A command is refused at once while Redis is away: the fallback in memory answers, and the request does not
      // hang.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: STORE_TIMEOUT_MS,
      commandTimeout: STORE_TIMEOUT_MS,
      retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RECONNECT_DELAY_MS),
    });
    // Every failed command is reported to its caller; without a listener ioredis would print each lost connection.
    this.redis.on('error', () => undefined);
    this.limiter = new RateLimiterRedis({
      storeClient: this.redis,
      keyPrefix: 'tasktree:limit',
      points: UNLIMITED,
      duration: 60,
    });
  }

  async add(key: string, points: number, windowMs: number): Promise<WindowCount> {
    // A request that comes while the first connection is being made waits for it: the fallback would count it
    // separately.
    if (this.redis.status === 'wait') this.opening = this.redis.connect();
    if (this.redis.status !== 'ready') await this.opening;
    const result = await this.limiter.penalty(storedKey(key), points, { customDuration: windowMs / 1000 });
    return { consumed: result.consumedPoints, msLeft: result.msBeforeNext };
  }

  close(): Promise<void> {
    this.redis.disconnect();
    return Promise.resolve();
  }
}
