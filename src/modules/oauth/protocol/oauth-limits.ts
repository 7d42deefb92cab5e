import { Injectable } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { AddressBudget } from '../../../platform/rate-limit/address-budget.js';
import { clientNetwork } from '../../../platform/rate-limit/client-network.js';
import type { FairShares } from '../../../platform/rate-limit/counters/fair-shares.js';
import { policyOf, secondsUntil, writeLimitHeaders } from '../../../platform/rate-limit/limit-headers.js';
import { RateLimitStore } from '../../../platform/rate-limit/rate-limit.store.js';
import { Clock } from '../../../platform/time/clock.js';
import { OAUTH_PATHS } from './oauth-paths.js';

const HOUR_MS = 3_600_000;
const OK = 200;
const CLIENT_FAULT = 400;
const REFUSED = 429;

/**
 * Rate limits by client address for the authorization server. Refusals have OAuth's error format, because OAuth clients
 * read no other.
 */
@Injectable()
export class OAuthLimits {
  private readonly registration: FairShares;

  constructor(
    store: RateLimitStore,
    environment: Environment,
    private readonly budget: AddressBudget,
    private readonly clock: Clock,
  ) {
    const { rateLimitRegistration: share, rateLimitRegistrationTotal: total } = environment;
    this.registration = store.shares('oauth-registration', { share, total, windowMs: HOUR_MS });
    budget.leave(OAUTH_PATHS.token);
    budget.leave(OAUTH_PATHS.introspection);
  }

  /**
   * For requests that present a code or a token. All users of an assistant share a few addresses, so only failed
   * requests count against the address. Successful requests count by grant and application (`TokenLimits`).
   */
  readonly tokens: RequestHandler = (request, response, next) => {
    this.chargeFailure(request, response);
    next();
  };

  /**
   * For introspection by gateways, which is frequent: as `tokens`, but an address over its limit is refused unless its
   * `Authorization` header was good before.
   */
  readonly introspections: RequestHandler = (request, response, next) => {
    const { authorization = null } = request.headers;
    const spentUntil = this.budget.spentUntil(request.ip);
    if (spentUntil !== null && (authorization === null || !this.budget.recognises(authorization))) {
      request.context.limitOutcome = 'address';
      this.refuse(response, spentUntil, 'too many requests that fail come from this address');
      return;
    }
    this.chargeFailure(request, response);
    response.once('finish', () => {
      if (response.statusCode === OK && authorization !== null) this.budget.vouch(request, authorization);
    });
    next();
  };

  /** For self-registration of applications. One address cannot use up the share of others. */
  readonly registrations: RequestHandler = async (request, response, next) => {
    const grant = await this.registration.take(clientNetwork(request.ip));
    const policy = policyOf(this.registration);
    writeLimitHeaders(response, policy, { bucket: this.registration, grant }, null, this.clock.nowMs());
    if (grant.allowed) return next();
    request.context.limitOutcome = this.registration.name;
    this.refuse(response, grant.endsAtMs, 'too many applications were registered from this address');
  };

  private chargeFailure({ ip, context }: Request, response: Response): void {
    response.once('close', () => {
      const { statusCode, writableFinished } = response;
      const isFault = statusCode >= CLIENT_FAULT && statusCode < 500 && statusCode !== REFUSED;
      // A client that disconnects before the answer counts as failed; otherwise it could guess for free.
      const failed = isFault || !writableFinished;
      if (failed && context.addressIsSpared !== true) void this.budget.charge(ip);
    });
  }

  private refuse(response: Response, endsAtMs: number, what: string): void {
    response.req.context.errorCode = 'rate_limited';
    response.setHeader('Retry-After', secondsUntil(endsAtMs, this.clock.nowMs()));
    response.setHeader('X-Limit-Remaining', 0);
    response.status(REFUSED).json({ error: 'temporarily_unavailable', error_description: `${what}; see Retry-After` });
  }
}
