import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { clientNetwork } from '../../../platform/rate-limit/client-network.js';
import type { LeasedWindows } from '../../../platform/rate-limit/counters/leased-windows.js';
import { rateLimited } from '../../../platform/rate-limit/limit-headers.js';
import { ACCOUNT_WRITES_BUCKET, WRITES_BUCKET } from '../../../platform/rate-limit/principal-limits.js';
import { RateLimitStore } from '../../../platform/rate-limit/rate-limit.store.js';
import { Clock } from '../../../platform/time/clock.js';
import type { SigningVisit } from './signing-visits.js';

const WINDOW_MS = 60_000;
/**
 * Reads of one action per minute. An open page asks for news of the progress again and again, and each read may query the
 * chain.
 */
const READS = 120;
/** Forms and submissions for one action per minute. */
const WRITES = 60;
const TOO_MANY = 'Too many requests were made for this action.';

/**
 * Rate limits of the routes whose only credential is a link. They are counted per action and caller: the browser that
 * has it open, the signed-in person, or each network of other visitors. So a stranger who has the link cannot use up
 * the limits of the others.
 */
@Injectable()
export class SigningLimits {
  private readonly reads: LeasedWindows;
  private readonly writes: LeasedWindows;
  private readonly preparations: LeasedWindows;
  private readonly accountPreparations: LeasedWindows;

  constructor(
    store: RateLimitStore,
    environment: Environment,
    private readonly clock: Clock,
  ) {
    this.reads = store.bucket('signing-read', READS, WINDOW_MS);
    this.writes = store.bucket('signing-write', WRITES, WINDOW_MS);
    this.preparations = store.bucket(WRITES_BUCKET, environment.rateLimitPrepare, WINDOW_MS);
    this.accountPreparations = store.bucket(ACCOUNT_WRITES_BUCKET, environment.rateLimitAccountPrepare, WINDOW_MS);
  }

  /** Counts one read of an action. @throws ApiError `rate_limited`. */
  takeRead(visit: SigningVisit, request: Request): Promise<void> {
    return this.take(this.reads, holderOf(visit, request), request, TOO_MANY);
  }

  /** Counts one form or submission. @throws ApiError `rate_limited`. */
  takeWrite(visit: SigningVisit, request: Request): Promise<void> {
    return this.take(this.writes, holderOf(visit, request), request, TOO_MANY);
  }

  /**
   * Counts one renewal as a preparation of the action's account, without a credential. @throws ApiError `rate_limited`.
   */
  async takePreparation(accountId: string, request: Request): Promise<void> {
    const refusal = 'The account has used up its writes of this window.';
    await this.take(this.preparations, `page ${accountId}`, request, refusal);
    await this.take(this.accountPreparations, accountId, request, refusal);
  }

  private async take(bucket: LeasedWindows, key: string, { context }: Request, refusal: string): Promise<void> {
    const grant = await bucket.take(key);
    if (grant.allowed) return;
    context.limitOutcome = bucket.name;
    throw rateLimited(refusal, grant.endsAtMs, this.clock.nowMs());
  }
}

/**
 * Key of the caller's limit. One browser has an action open and one account owns it; others are told apart by network.
 */
function holderOf({ action, holdsBy }: SigningVisit, { ip }: Request): string {
  return `${action.id} ${holdsBy ?? clientNetwork(ip)}`;
}
