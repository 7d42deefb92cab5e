import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Environment } from '../../platform/config/environment.js';
import { clientNetwork } from '../../platform/rate-limit/client-network.js';
import type { LeasedWindows } from '../../platform/rate-limit/leased-windows.js';
import { rateLimited } from '../../platform/rate-limit/limit-headers.js';
import { PREPARE_BUCKET } from '../../platform/rate-limit/principal-limit.guard.js';
import { RateLimitStore } from '../../platform/rate-limit/rate-limit.store.js';
import { Clock } from '../../platform/time/clock.js';

const WINDOW_MS = 60_000;
/** Answers about one action in a minute: a page that watches asks every two seconds, and each may ask the chain. */
const READS = 120;
/** Forms and submissions of one client network in a minute, beside the limit of its address. */
const WRITES = 60;

/** Limits of the routes that need no credential but a link. */
@Injectable()
export class SigningLimits {
  private readonly reads: LeasedWindows;
  private readonly writes: LeasedWindows;
  private readonly preparations: LeasedWindows;

  constructor(
    store: RateLimitStore,
    environment: Environment,
    private readonly clock: Clock,
  ) {
    this.reads = store.bucket('signing-read', READS, WINDOW_MS);
    this.writes = store.bucket('signing-write', WRITES, WINDOW_MS);
    this.preparations = store.bucket(PREPARE_BUCKET, environment.rateLimitPrepare, WINDOW_MS);
  }

  /** Counts one answer about an action. @throws ApiError `rate_limited`. */
  takeRead(actionId: string): Promise<void> {
    return this.take(this.reads, actionId, 'Too many requests were made for this action.');
  }

  /** Counts one form. @throws ApiError `rate_limited`. */
  takeWrite({ ip }: Request): Promise<void> {
    return this.take(this.writes, clientNetwork(ip), 'Too many requests come from your network.');
  }

  /** Counts one renewal as what it is: a preparation of its principal. @throws ApiError `rate_limited`. */
  takePreparation(accountId: string): Promise<void> {
    return this.take(this.preparations, accountId, 'The account has used up its write requests of this window.');
  }

  private async take(bucket: LeasedWindows, key: string, refusal: string): Promise<void> {
    const grant = await bucket.take(key);
    if (!grant.allowed) throw rateLimited(refusal, grant.endsAtMs, this.clock.nowMs());
  }
}
