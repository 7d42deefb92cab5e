import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { LeasedWindows } from '../../../platform/rate-limit/counters/leased-windows.js';
import { rateLimited } from '../../../platform/rate-limit/limit-headers.js';
import { RateLimitStore } from '../../../platform/rate-limit/rate-limit.store.js';
import { Clock } from '../../../platform/time/clock.js';
import type { PreparedActionEntity } from '../../prepared-actions/action/prepared-action.entity.js';

const MINUTE_MS = 60_000;
/** Questions for one action in a quarter of an hour: a wallet asks twice each time that its person confirms. */
const PER_ACTION = 20;
/** Questions for the actions of one account in an hour. */
const PER_ACCOUNT = 240;

/** Rate limits of the paymaster's addresses: what is asked there costs the operator money. */
@Injectable()
export class PaymasterLimits {
  private readonly ofAction: LeasedWindows;
  private readonly ofAccount: LeasedWindows;

  constructor(
    store: RateLimitStore,
    private readonly clock: Clock,
  ) {
    this.ofAction = store.bucket('paymaster', PER_ACTION, 15 * MINUTE_MS);
    this.ofAccount = store.bucket('paymaster-account', PER_ACCOUNT, 60 * MINUTE_MS);
  }

  /** Counts one question. @throws ApiError `rate_limited`. */
  async take({ id, accountId }: PreparedActionEntity, { context }: Request): Promise<void> {
    for (const [bucket, key] of [
      [this.ofAction, id],
      [this.ofAccount, accountId],
    ] as const) {
      const grant = await bucket.take(key);
      if (grant.allowed) continue;
      context.limitOutcome = bucket.name;
      throw rateLimited('Too many operations were asked to be paid for.', grant.endsAtMs, this.clock.nowMs());
    }
  }
}
