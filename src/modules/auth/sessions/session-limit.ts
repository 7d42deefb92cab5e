import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AddressBudget } from '../../../platform/rate-limit/address-budget.js';
import type { LeasedWindows } from '../../../platform/rate-limit/leased-windows.js';
import { rateLimited } from '../../../platform/rate-limit/limit-headers.js';
import { RateLimitStore } from '../../../platform/rate-limit/rate-limit.store.js';
import { Clock } from '../../../platform/time/clock.js';

const WINDOW_MS = 60_000;
/** Pages and forms of one account in a minute, in all its browsers. */
const PAGES = 240;

/** The budget of people who are signed in: they pay for the pages they ask for, not the address that they share. */
@Injectable()
export class SessionLimit {
  private readonly pages: LeasedWindows;

  constructor(
    store: RateLimitStore,
    private readonly budget: AddressBudget,
    private readonly clock: Clock,
  ) {
    this.pages = store.bucket('pages', PAGES, WINDOW_MS);
  }

  /** Counts one request of a live session. @param token of its cookie. @throws ApiError `rate_limited`. */
  async take(request: Request, token: string | null, accountId: string): Promise<void> {
    this.budget.vouch(request, token);
    const grant = await this.pages.take(accountId);
    if (grant.allowed) return;
    request.context.limitOutcome = this.pages.name;
    throw rateLimited('Too many pages were asked for with your account.', grant.endsAtMs, this.clock.nowMs());
  }
}
