import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { sha256 } from '#libs/kernel';
import type { ApiError } from '../../../platform/http/api-error.js';
import { AddressBudget } from '../../../platform/rate-limit/address-budget.js';
import type { LeasedWindows } from '../../../platform/rate-limit/counters/leased-windows.js';
import { rateLimited } from '../../../platform/rate-limit/limit-headers.js';
import { RateLimitStore } from '../../../platform/rate-limit/rate-limit.store.js';
import { Clock } from '../../../platform/time/clock.js';

const WINDOW_MS = 60_000;
/** Pages and forms that one account may request per minute, over all its browsers. */
const PAGES = 240;
const MAX_OVER = 10_000;

/**
 * Request limit of signed-in people. Their requests count against the account, not against an address that many people
 * may share.
 */
@Injectable()
export class SessionLimit {
  private readonly pages: LeasedWindows;
  /** Sessions that were refused: end of the window in milliseconds, by the hash of the session's token. */
  private readonly over = new LRUCache<string, number>({ max: MAX_OVER });

  constructor(
    store: RateLimitStore,
    private readonly budget: AddressBudget,
    private readonly clock: Clock,
  ) {
    this.pages = store.bucket('pages', PAGES, WINDOW_MS);
  }

  /**
   * Refuses a session that is over its limit, before it is looked up in the database, until its window ends.
   * @param token of the cookie, if there is one. @throws ApiError `rate_limited`.
   */
  assertNotOver(request: Request, token: string | null): void {
    const endsAtMs = token === null ? 0 : (this.over.get(keyOf(token)) ?? 0);
    if (this.clock.nowMs() < endsAtMs) throw this.refusal(request, endsAtMs);
  }

  /** Counts one request of a live session. @param token of its cookie. @throws ApiError `rate_limited`. */
  async take(request: Request, token: string | null, accountId: string): Promise<void> {
    this.budget.vouch(request, token);
    const grant = await this.pages.take(accountId);
    if (grant.allowed) return;
    if (token !== null) this.over.set(keyOf(token), grant.endsAtMs);
    throw this.refusal(request, grant.endsAtMs);
  }

  private refusal({ context }: Request, endsAtMs: number): ApiError {
    context.limitOutcome = this.pages.name;
    context.addressIsSpared = true;
    return rateLimited('Too many pages were asked for with your account.', endsAtMs, this.clock.nowMs());
  }
}

/** Hash of the token, so that no token is kept in memory. */
function keyOf(token: string): string {
  return sha256(token).toString('base64');
}
