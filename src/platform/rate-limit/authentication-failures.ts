import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../config/environment.js';
import { Clock } from '../time/clock.js';
import { AddressBudget } from './address-budget.js';
import type { LeasedWindows } from './counters/leased-windows.js';
import { rateLimited } from './limit-headers.js';
import { RateLimitStore } from './rate-limit.store.js';

const WINDOW_MS = 15 * 60_000;

/**
 * Charges a refused credential to the client address, and counts it for the credential where that is known. Beyond a
 * quota a refusal is a 429 instead of a 401. A good credential from the same address still passes: others may share the
 * address.
 */
@Injectable()
export class AuthenticationFailures {
  private readonly byCredential: LeasedWindows;

  constructor(
    private readonly budget: AddressBudget,
    store: RateLimitStore,
    environment: Environment,
    private readonly clock: Clock,
  ) {
    this.byCredential = store.bucket('authfail-key', environment.rateLimitAuthFailures, WINDOW_MS);
  }

  /**
   * Counts one failure and tells what the address has left.
   * @param credentialId of a key or grant that is known. @throws ApiError `rate_limited` beyond a quota.
   */
  async record(request: Request, response: Response, credentialId: string | null): Promise<void> {
    const { context, ip } = request;
    const grant = await this.budget.charge(ip);
    context.addressIsSpared = true;
    if (!grant.allowed) throw this.budget.refusal(request, response, grant.endsAtMs);
    this.budget.writeHeaders(response, grant);
    const own = credentialId === null ? null : await this.byCredential.take(credentialId);
    if (own === null || own.allowed) return;
    context.limitOutcome = this.byCredential.name;
    throw rateLimited('This credential was refused too often.', own.endsAtMs, this.clock.nowMs());
  }

  /** Writes into the headers of a refusal without a credential what the address has left after it was charged. */
  tellAnonymous({ context }: Request, response: Response): void {
    if (context.addressGrant !== undefined) this.budget.writeHeaders(response, context.addressGrant);
  }
}
