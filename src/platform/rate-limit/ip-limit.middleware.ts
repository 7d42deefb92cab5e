import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { AddressBudget } from './address-budget.js';
import type { Grant } from './counters/leased-windows.js';

/** Where credentials in headers are looked at. */
const INTERFACE = '/v1/';
const AUTHORIZATION = /^(?:Bearer|DPoP) +(.*)$/is;
/** What the pages' cookies hold: 256 bits in base64url. */
const COOKIE_SECRET = /=([A-Za-z0-9_-]{43})(?:;|$)/g;

/**
 * Has client addresses pay (`AddressBudget`). Without anything that could be a credential a request pays before it is
 * looked at. With one it goes on credit: whoever is proved pays from a budget of his own, and if nobody was when the answer
 * is over, the address has paid.
 */
@Injectable()
export class IpLimitMiddleware implements NestMiddleware {
  constructor(private readonly budget: AddressBudget) {}

  /** Hands an ApiError `rate_limited` to `next` when the address cannot pay. */
  use(request: Request, response: Response, next: NextFunction): void | Promise<void> {
    if (this.budget.isLeft(request.path)) return next();
    const secrets = secretsOf(request);
    if (secrets.length > 0) return this.onCredit(request, response, next, secrets);
    const grant = this.budget.charge(request.ip);
    if (grant instanceof Promise) return this.settleLater(request, response, grant, next);
    this.settle(request, response, grant, next);
  }

  private onCredit(request: Request, response: Response, next: NextFunction, secrets: readonly string[]): void {
    // A socket that is closed has no address any more.
    const { ip, context } = request;
    const spentUntil = this.budget.spentUntil(ip);
    if (spentUntil !== null && !secrets.some((secret) => this.budget.recognises(secret))) {
      return next(this.budget.refusal(request, response, spentUntil));
    }
    response.once('close', () => {
      if (context.principal === undefined && context.addressIsSpared !== true) void this.budget.charge(ip);
    });
    next();
  }

  private async settleLater(
    request: Request,
    response: Response,
    grant: Promise<Grant>,
    next: NextFunction,
  ): Promise<void> {
    this.settle(request, response, await grant, next);
  }

  private settle(request: Request, response: Response, grant: Grant, next: NextFunction): void {
    request.context.addressGrant = grant;
    if (grant.allowed) return next();
    next(this.budget.refusal(request, response, grant.endsAtMs));
  }
}

/** What may prove who asks: the interface looks at two headers, the pages at cookies. */
function secretsOf({ path, headers }: Request): string[] {
  if (!path.startsWith(INTERFACE)) {
    return [...(headers.cookie ?? '').matchAll(COOKIE_SECRET)].map(([, secret = '']) => secret);
  }
  const { 'x-api-key': key, authorization } = headers;
  const token = authorization === undefined ? undefined : AUTHORIZATION.exec(authorization)?.[1];
  return [key, token].filter((secret) => typeof secret === 'string');
}
