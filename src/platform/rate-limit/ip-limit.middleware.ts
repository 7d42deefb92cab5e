import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { MCP_PATH } from '../http/mcp-path.js';
import { AddressBudget } from './address-budget.js';
import type { Grant } from './counters/leased-windows.js';

/** Path below which credentials are read from headers; `MCP_PATH` is the one further path where they are. */
const INTERFACE = '/v1/';
const AUTHORIZATION = /^(?:Bearer|DPoP) +(.*)$/is;
/** A secret in the cookies of the pages: 256 bits in base64url. */
const COOKIE_SECRET = /=([A-Za-z0-9_-]{43})(?:;|$)/g;

/**
 * Charges requests to client addresses (`AddressBudget`). A request without anything that could be a credential is
 * charged before it is looked at. A request with something that could be one goes on credit: an authenticated caller
 * pays from another budget, and if nobody was authenticated when the answer is over, the address is charged.
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
    // Read now, because a socket that is closed has no address any more.
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

/** The secrets of a request that may authenticate its caller: in two headers of the API, in cookies of the pages. */
function secretsOf({ path, headers }: Request): string[] {
  if (!path.startsWith(INTERFACE) && path !== MCP_PATH) {
    return [...(headers.cookie ?? '').matchAll(COOKIE_SECRET)].map(([, secret = '']) => secret);
  }
  const { 'x-api-key': key, authorization } = headers;
  const token = authorization === undefined ? undefined : AUTHORIZATION.exec(authorization)?.[1];
  return [key, token].filter((secret) => typeof secret === 'string');
}
