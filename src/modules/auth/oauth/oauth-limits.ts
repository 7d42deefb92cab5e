import { Injectable } from '@nestjs/common';
import type { RequestHandler, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { clientNetwork } from '../../../platform/rate-limit/client-network.js';
import type { LeasedWindows } from '../../../platform/rate-limit/leased-windows.js';
import { policyOf, secondsUntil, writeLimitHeaders } from '../../../platform/rate-limit/limit-headers.js';
import { RateLimitStore } from '../../../platform/rate-limit/rate-limit.store.js';
import { Clock } from '../../../platform/time/clock.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Quotas of the authorization server per client address, in OAuth's error shape: its clients read no other. */
@Injectable()
export class OAuthLimits {
  private readonly token: LeasedWindows;
  private readonly registration: LeasedWindows;

  constructor(
    store: RateLimitStore,
    environment: Environment,
    private readonly clock: Clock,
  ) {
    this.token = store.bucket('oauth-token', environment.rateLimitToken, MINUTE_MS);
    this.registration = store.bucket('oauth-registration', environment.rateLimitRegistration, HOUR_MS);
  }

  /** For requests that try a code, a token or a secret. */
  readonly tokens: RequestHandler = (request, response, next) => this.take(this.token, request.ip, response, next);

  /** For applications that register themselves. */
  readonly registrations: RequestHandler = (request, response, next) =>
    this.take(this.registration, request.ip, response, next);

  private async take(
    bucket: LeasedWindows,
    address: string | undefined,
    response: Response,
    next: () => void,
  ): Promise<void> {
    const grant = await bucket.take(clientNetwork(address));
    const nowMs = this.clock.nowMs();
    writeLimitHeaders(response, policyOf(bucket), { bucket, grant }, null, nowMs);
    if (grant.allowed) return next();
    response.req.context.limitOutcome = bucket.name;
    response.req.context.errorCode = 'rate_limited';
    response.setHeader('Retry-After', secondsUntil(grant.endsAtMs, nowMs));
    response.status(429).json({
      error: 'temporarily_unavailable',
      error_description: 'too many requests come from this address; see Retry-After',
    });
  }
}
