import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { getOptionsToken, getStorageToken, ThrottlerGuard, type ThrottlerModuleOptions } from '@nestjs/throttler';
import type { Response } from 'express';
import type { ApiError } from '../http/api-error.js';
import type { ContextRequest, Principal } from '../http/principal.js';
import { Clock } from '../time/clock.js';
import { BodyBytesBudget } from './body-bytes-budget.js';
import type { Grant, LeasedWindows } from './counters/leased-windows.js';
import { policyOf, rateLimited, writeLimitHeaders } from './limit-headers.js';
import { ACCOUNT_READS_BUCKET, ACCOUNT_WRITES_BUCKET, READS_BUCKET, WRITES_BUCKET } from './principal-limits.js';
import { RateLimitStore } from './rate-limit.store.js';

/** The budget of one credential, the ceiling over all credentials of its account, and what is told when they are used up. */
interface Budget {
  readonly own: LeasedWindows;
  readonly account: LeasedWindows;
  readonly policy: string;
  readonly what: string;
}

const PASSED = Promise.resolve(true);

/**
 * The quotas of a credential: one for reads and one for writes, so that no read keeps a write from being made; and a
 * ceiling for each over all credentials of the account, so that many credentials are not many quotas. Runs after
 * authentication, on every request; so it skips the base class's look-ups of per-route settings, of which there are none,
 * and answers without a promise of its own while leased tokens last.
 */
@Injectable()
export class PrincipalLimitGuard extends ThrottlerGuard {
  private readonly reads: Budget;
  private readonly writes: Budget;

  constructor(
    @Inject(getOptionsToken()) options: ThrottlerModuleOptions,
    @Inject(getStorageToken()) store: RateLimitStore,
    reflector: Reflector,
    private readonly clock: Clock,
    private readonly bodies: BodyBytesBudget,
  ) {
    super(options, store, reflector);
    const bucketOf = (name: string) => bucket(options, store, name);
    this.reads = budgetOf(bucketOf(READS_BUCKET), bucketOf(ACCOUNT_READS_BUCKET), 'reads');
    this.writes = budgetOf(bucketOf(WRITES_BUCKET), bucketOf(ACCOUNT_WRITES_BUCKET), 'writes');
  }

  /** @throws ApiError `rate_limited`. */
  override canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ContextRequest>();
    const { principal } = request.context;
    if (principal === undefined) return PASSED;
    const response = http.getResponse<Response>();
    const budget = this.budgetOf(request);
    if (budget === this.writes) {
      request.context.payForBody = (bytes) => this.bodies.take(payerOf(budget, principal), bytes);
    }
    const own = budget.own.take(principal.credentialId);
    if (own instanceof Promise) return this.decide(budget, request, response, own, principal);
    const account = own.allowed ? budget.account.take(payerOf(budget, principal)) : null;
    if (account instanceof Promise) return this.decide(budget, request, response, own, principal, account);
    this.settle(budget, request, response, own, account);
    return PASSED;
  }

  /**
   * The refusal of a request while nothing is left for the caller that it claims to be from; null when something may be
   * left. Counts nothing. It comes before a check that is expensive, such as one that uses up a proof.
   */
  refusalWhileSpent(request: ContextRequest, principal: Principal): ApiError | null {
    const budget = this.budgetOf(request);
    const { own, account, what } = budget;
    const ofCredential = own.spentUntil(principal.credentialId);
    const endsAtMs = ofCredential ?? account.spentUntil(payerOf(budget, principal));
    if (endsAtMs === null) return null;
    const [bucket, whose] = ofCredential === null ? [account, 'account'] : [own, 'credential'];
    request.context.limitOutcome = bucket.name;
    return rateLimited(usedUp(whose, what), endsAtMs, this.clock.nowMs());
  }

  private budgetOf({ method, context }: ContextRequest): Budget {
    return isRead(method) || context.countsAsRead === true ? this.reads : this.writes;
  }

  private async decide(
    budget: Budget,
    request: ContextRequest,
    response: Response,
    taken: Grant | Promise<Grant>,
    principal: Principal,
    ofAccount?: Promise<Grant>,
  ): Promise<boolean> {
    const own = await taken;
    const account = own.allowed ? await (ofAccount ?? budget.account.take(payerOf(budget, principal))) : null;
    this.settle(budget, request, response, own, account);
    return true;
  }

  /** @param account null: the credential had nothing left, so that the account was not asked. */
  private settle(
    budget: Budget,
    { context }: ContextRequest,
    response: Response,
    own: Grant,
    account: Grant | null,
  ): void {
    const nowMs = this.clock.nowMs();
    writeLimitHeaders(
      response,
      account === null ? policyOf(budget.own) : budget.policy,
      { bucket: budget.own, grant: own },
      account && { bucket: budget.account, grant: account },
      nowMs,
    );
    if (!own.allowed) {
      context.limitOutcome = budget.own.name;
      throw rateLimited(usedUp('credential', budget.what), own.endsAtMs, nowMs);
    }
    if (account && !account.allowed) {
      context.limitOutcome = budget.account.name;
      throw rateLimited(usedUp('account', budget.what), account.endsAtMs, nowMs);
    }
    context.limitOutcome = 'allowed';
  }
}

/**
 * The key of the account's ceiling that a request is charged to. Credentials with the scope `read` alone have a
 * separate ceiling for writes: the claims of non-delivery that they may prepare, however many, keep no other write of
 * the account from being made in time.
 */
function payerOf({ what }: Budget, { accountId, scopes }: Principal): string {
  return what === 'writes' && scopes.every((scope) => scope === 'read') ? `${accountId} read` : accountId;
}

function usedUp(whose: string, what: string): string {
  return `The ${whose} has used up its ${what} of this window.`;
}

/** Every other method may change something. */
function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

function budgetOf(own: LeasedWindows, account: LeasedWindows, what: string): Budget {
  return { own, account, policy: `${policyOf(own)}, ${policyOf(account)}`, what };
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
