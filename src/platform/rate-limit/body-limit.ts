import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Environment } from '../config/environment.js';
import { Clock } from '../time/clock.js';
import { InsuredWindowCounter } from './insured-window-counter.js';
import { rateLimited } from './limit-headers.js';

const WINDOW_MS = 60_000;
const MAX_PAYERS = 20_000;
/** Bytes of a body that are not counted: writes of that size are few enough by their number alone. */
export const UNCOUNTED_BODY_BYTES = 4_096;

/**
 * How many bytes of large request bodies an account may send in a minute. A body of 64 KiB costs as much as twenty of the
 * usual size, and the limits of requests count it as one: without this limit a few free accounts could keep the service
 * busy with what it reads, checks and hashes. Bodies of the usual size are not counted, so that whoever has used the limit
 * up still accepts, rejects and withdraws in time.
 */
@Injectable()
export class BodyLimit {
  private readonly spentUntil = new LRUCache<string, number>({ max: MAX_PAYERS });

  constructor(
    private readonly environment: Environment,
    private readonly counter: InsuredWindowCounter,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts a body before anything is made of it.
   * @param bytes its length. @throws ApiError `rate_limited` when the payer has sent more than the limit.
   */
  async take(payer: string, bytes: number): Promise<void> {
    if (bytes <= UNCOUNTED_BODY_BYTES) return;
    const askedAtMs = this.clock.nowMs();
    this.refuseUntil(this.spentUntil.get(payer) ?? 0, askedAtMs);
    const { consumed, msLeft } = await this.counter.add(`body-bytes:${payer}`, bytes, WINDOW_MS);
    if (consumed <= this.environment.rateLimitBodyBytes) return;
    const endsAtMs = askedAtMs + Math.max(1, msLeft);
    this.spentUntil.set(payer, endsAtMs);
    this.refuseUntil(endsAtMs, askedAtMs);
  }

  private refuseUntil(endsAtMs: number, nowMs: number): void {
    if (nowMs >= endsAtMs) return;
    throw rateLimited('The account has sent as many bytes in large bodies as it may in a minute.', endsAtMs, nowMs);
  }
}
