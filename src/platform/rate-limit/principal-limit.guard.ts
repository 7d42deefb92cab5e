import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { getOptionsToken, getStorageToken, ThrottlerGuard, type ThrottlerModuleOptions } from '@nestjs/throttler';
import type { Response } from 'express';
import type { ContextRequest } from '../http/principal.js';
import { Clock } from '../time/clock.js';
import type { Grant, LeasedWindows } from './leased-windows.js';
import { policyOf, rateLimited, writeLimitHeaders } from './limit-headers.js';
import { RateLimitStore } from './rate-limit.store.js';

/** Names of the two throttlers that the module configures. */
export const PRINCIPAL_BUCKET = 'principal';
export const PREPARE_BUCKET = 'prepare';

const PASSED = Promise.resolve(true);

/**
 * The quota of a principal: one bucket for all operations, whatever the credential, and one more for writes. Runs
 * after authentication, on every request; so it skips the base class's look-ups of per-route settings, of which there
 * are none, and answers without a promise of its own while leased tokens last.
 */
@Injectable()
export class PrincipalLimitGuard extends ThrottlerGuard {
  private readonly principal: LeasedWindows;
  private readonly prepare: LeasedWindows;
  private readonly readPolicy: string;
  private readonly writePolicy: string;

  constructor(
    @Inject(getOptionsToken()) options: ThrottlerModuleOptions,
    @Inject(getStorageToken()) store: RateLimitStore,
    reflector: Reflector,
    private readonly clock: Clock,
  ) {
    super(options, store, reflector);
    this.principal = bucket(options, store, PRINCIPAL_BUCKET);
    this.prepare = bucket(options, store, PREPARE_BUCKET);
    this.readPolicy = policyOf(this.principal);
    this.writePolicy = `${this.readPolicy}, ${policyOf(this.prepare)}`;
  }

  /** @throws ApiError `rate_limited`. */
  override canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ContextRequest>();
    const accountId = request.context.principal?.accountId;
    if (accountId === undefined) return PASSED;
    const response = http.getResponse<Response>();
    const grant = this.principal.take(accountId);
    if (grant instanceof Promise || request.method === 'POST') return this.decide(request, response, accountId, grant);
    this.settle(request, response, grant, null);
    return PASSED;
  }

  private async decide(
    request: ContextRequest,
    response: Response,
    accountId: string,
    taken: Grant | Promise<Grant>,
  ): Promise<boolean> {
    const grant = await taken;
    const prepares = grant.allowed && request.method === 'POST';
    this.settle(request, response, grant, prepares ? await this.prepare.take(accountId) : null);
    return true;
  }

  private settle(request: ContextRequest, response: Response, principal: Grant, prepare: Grant | null): void {
    const nowMs = this.clock.nowMs();
    writeLimitHeaders(
      response,
      prepare ? this.writePolicy : this.readPolicy,
      { bucket: this.principal, grant: principal },
      prepare && { bucket: this.prepare, grant: prepare },
      nowMs,
    );
    const { context } = request;
    if (!principal.allowed) {
      context.limitOutcome = PRINCIPAL_BUCKET;
      throw rateLimited('The account has used up its requests of this window.', principal.endsAtMs, nowMs);
    }
    if (prepare && !prepare.allowed) {
      context.limitOutcome = PREPARE_BUCKET;
      throw rateLimited('The account has used up its write requests of this window.', prepare.endsAtMs, nowMs);
    }
    context.limitOutcome = 'allowed';
  }
}

/** The bucket that the module's options describe under this name. */
function bucket(options: ThrottlerModuleOptions, store: RateLimitStore, name: string): LeasedWindows {
  const throttlers = Array.isArray(options) ? options : options.throttlers;
  const throttler = throttlers.find((candidate) => candidate.name === name);
  if (typeof throttler?.limit !== 'number' || typeof throttler.ttl !== 'number') {
    throw new Error(`No throttler named ${name} with a fixed limit is configured`);
  }
  return store.bucket(name, throttler.limit, throttler.ttl);
}
