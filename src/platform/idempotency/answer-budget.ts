import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { quotaExceeded } from '../quotas/account-quota.js';
import { FallbackWindowCounter } from '../rate-limit/counters/fallback-window-counter.js';
import { PointsWindow } from '../rate-limit/counters/points-window.js';
import { Clock } from '../time/clock.js';

/**
 * Parts of a budget: a process tells the shared counter whenever it has used one more part, so that no write waits for
 * the counter, and less than a part may be overlooked.
 */
const PARTS = 256;
const MINUTE_MS = 60_000;
/** Bytes of one point of the counter, because the column that holds the points has 31 bits. */
const POINT_BYTES = 1_024;

/**
 * Bounds how many bytes of answers one account has stored for its idempotency keys: a write may answer with all that the
 * account has ever written about itself, and what is stored is kept for the retention of a key. Counted when an answer has
 * been stored, for all processes together, in windows of that retention.
 */
@Injectable()
export class AnswerBudget {
  private readonly bytes: PointsWindow;

  constructor(
    private readonly environment: Environment,
    counter: FallbackWindowCounter,
    private readonly clock: Clock,
  ) {
    const { quotaAnswerBytes: limit, idempotencyRetentionSeconds: retention } = environment;
    const policy = { windowMs: retention * 1_000, spentFrom: limit, perPoint: POINT_BYTES, lot: limit / PARTS };
    this.bytes = new PointsWindow({ name: 'answers', ...policy }, counter, clock);
  }

  /** @throws ApiError `quota_exceeded` while the account has no room for another answer. */
  requireRoom(accountId: string): void {
    const until = this.bytes.spentUntil(accountId);
    if (until === null) return;
    const limit = this.environment.quotaAnswerBytes;
    const minutes = Math.ceil((until - this.clock.nowMs()) / MINUTE_MS);
    const frees = `They are kept so that a request can be repeated. There is room in ${minutes} minutes.`;
    throw quotaExceeded({ limit, unit: 'bytes of answers for idempotency keys', frees }, limit);
  }

  /** Counts an answer that was stored. Never throws, and nobody needs to wait for it. @param bytes of its text. */
  async count(accountId: string, bytes: number): Promise<void> {
    if (this.environment.quotaAnswerBytes > 0) await this.bytes.add(accountId, bytes);
  }
}
