import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Environment } from '../config/environment.js';
import { quotaExceeded } from '../quotas/account-quota.js';
import { InsuredWindowCounter } from '../rate-limit/insured-window-counter.js';
import { Clock } from '../time/clock.js';

/** What this process knows of one account's answers. */
interface Tally {
  /** Stored here and not told to the shared counter yet. */
  bytes: number;
  /** Milliseconds since the epoch until which the account has no room; 0: it may have some. */
  spentUntilMs: number;
}

const MAX_ACCOUNTS = 20_000;
/** Tellings of the shared counter until a budget is used up: a process may overlook so much of it, and no write waits. */
const PARTS = 256;
const MINUTE_MS = 60_000;
/** The counter's points: the column that holds them has 31 bits. */
const POINT_BYTES = 1_024;

/**
 * Bounds how many bytes of answers one account has stored for its idempotency keys: a write may answer with all that the
 * account has ever written about itself, and what is stored is kept for the retention of a key. Counted when an answer has
 * been stored, for all processes together, in windows of that retention.
 */
@Injectable()
export class AnswerBudget {
  private readonly tallies = new LRUCache<string, Tally>({ max: MAX_ACCOUNTS });

  constructor(
    private readonly environment: Environment,
    private readonly counter: InsuredWindowCounter,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError `quota_exceeded` while the account has no room for another answer. */
  requireRoom(accountId: string): void {
    const until = this.tallies.get(accountId)?.spentUntilMs ?? 0;
    const leftMs = until - this.clock.nowMs();
    if (leftMs <= 0) return;
    const limit = this.environment.quotaAnswerBytes;
    const frees = `They are kept so that a request can be repeated. There is room in ${Math.ceil(leftMs / MINUTE_MS)} minutes.`;
    throw quotaExceeded({ limit, unit: 'bytes of answers for idempotency keys', frees }, limit);
  }

  /** Counts an answer that was stored. Never throws, and nobody needs to wait for it. @param bytes of its text. */
  async count(accountId: string, bytes: number): Promise<void> {
    const { quotaAnswerBytes: limit, idempotencyRetentionSeconds: retention } = this.environment;
    if (limit === 0) return;
    const tally = this.tallies.get(accountId) ?? { bytes: 0, spentUntilMs: 0 };
    this.tallies.set(accountId, tally);
    tally.bytes += bytes;
    if (tally.bytes < limit / PARTS) return;
    const points = Math.ceil(tally.bytes / POINT_BYTES);
    tally.bytes = 0;
    const askedAtMs = this.clock.nowMs();
    const { consumed, msLeft } = await this.counter.add(`answers:${accountId}`, points, retention * 1_000);
    if (consumed * POINT_BYTES >= limit) tally.spentUntilMs = askedAtMs + msLeft;
  }
}
