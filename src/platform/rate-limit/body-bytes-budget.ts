import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { Clock } from '../time/clock.js';
import { FallbackWindowCounter } from './counters/fallback-window-counter.js';
import { rateLimited } from './limit-headers.js';
import { PointsWindow } from './counters/points-window.js';

const WINDOW_MS = 60_000;
/**
 * A body of at most this many bytes is not counted: the limits on the number of writes are enough for bodies of that
 * size.
 */
export const UNCOUNTED_BODY_BYTES = 4_096;

/**
 * How many bytes of large request bodies an account may send in a minute. A body of 64 KiB costs as much as twenty of the
 * usual size, and the limits of requests count it as one: without this limit a few free accounts could keep the service
 * busy with what it reads, checks and hashes. Bodies of the usual size are not counted, so that whoever has used the limit
 * up still accepts, rejects and withdraws in time.
 */
@Injectable()
export class BodyBytesBudget {
  private readonly bytes: PointsWindow;

  constructor(
    environment: Environment,
    counter: FallbackWindowCounter,
    private readonly clock: Clock,
  ) {
    const policy = { name: 'body-bytes', windowMs: WINDOW_MS, spentFrom: environment.rateLimitBodyBytes + 1 };
    this.bytes = new PointsWindow(policy, counter, clock);
  }

  /**
   * Counts a body before it is parsed.
   * @param bytes its length. @throws ApiError `rate_limited` when the payer has sent more than the limit.
   */
  async take(payer: string, bytes: number): Promise<void> {
    if (bytes <= UNCOUNTED_BODY_BYTES) return;
    const spentUntil = this.bytes.spentUntil(payer) ?? (await this.bytes.add(payer, bytes));
    if (spentUntil === null) return;
    const what = 'The account has sent as many bytes in large bodies as it may in a minute.';
    throw rateLimited(what, spentUntil, this.clock.nowMs());
  }
}
