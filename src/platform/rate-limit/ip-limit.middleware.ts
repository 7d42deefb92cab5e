import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Response } from 'express';
import { Environment } from '../config/environment.js';
import type { ContextRequest } from '../http/principal.js';
import { Clock } from '../time/clock.js';
import { clientNetwork } from './client-network.js';
import type { Grant, LeasedWindows } from './leased-windows.js';
import { rateLimited } from './limit-headers.js';
import { RateLimitStore } from './rate-limit.store.js';

const WINDOW_MS = 60_000;

/** The quota of a client address, before anything is known of the caller. */
@Injectable()
export class IpLimitMiddleware implements NestMiddleware {
  private readonly bucket: LeasedWindows;

  constructor(
    store: RateLimitStore,
    environment: Environment,
    private readonly clock: Clock,
  ) {
    this.bucket = store.bucket('ip', environment.rateLimitIp, WINDOW_MS);
  }

  /** Hands an ApiError `rate_limited` to `next` when the quota is used up. */
  use(request: ContextRequest, _response: Response, next: NextFunction): void | Promise<void> {
    const grant = this.bucket.take(clientNetwork(request.ip));
    if (grant instanceof Promise) return this.settleLater(request, grant, next);
    this.settle(request, grant, next);
  }

  private async settleLater(request: ContextRequest, grant: Promise<Grant>, next: NextFunction): Promise<void> {
    this.settle(request, await grant, next);
  }

  private settle(request: ContextRequest, grant: Grant, next: NextFunction): void {
    if (grant.allowed) return next();
    request.context.limitOutcome = 'ip';
    next(rateLimited('Too many requests come from this address.', grant.endsAtMs, this.clock.nowMs()));
  }
}
