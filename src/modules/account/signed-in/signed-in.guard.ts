import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiError } from '../../../platform/http/api-error.js';
import { prefersJson } from '../../../platform/pages/web-error.filter.js';
import type { AccountEntity } from '../../accounts/account.entity.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { BrowserCookies } from '../../accounts/sessions/browser-cookies.js';
import type { BrowserSessionEntity } from '../../accounts/browser-session.entity.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import { SessionLimit } from '../../accounts/sessions/session-limit.js';
import { type LeavingWallet, WalletRemovals } from '../../accounts/wallets/wallet-removals.js';

/** A signed-in person at an account page. */
export interface AccountVisit {
  account: AccountEntity;
  session: BrowserSessionEntity;
  /**
   * Secret token of the session. The forms of the session's pages are bound to it. It is never shown and never stored.
   */
  binding: string;
  /** Wallets that will be removed from the account; every page shows them. */
  leaving: readonly LeavingWallet[];
}

/** The request has no live session; SignInNeededFilter redirects it to the sign-in page. */
export class SignInNeeded extends Error {}

const visits = new WeakMap<Request, AccountVisit>();

/** Admits requests with a live browser session. The cookie is the only credential: API keys and tokens open no page. */
@Injectable()
export class SignedInGuard implements CanActivate {
  constructor(
    private readonly cookies: BrowserCookies,
    private readonly sessions: BrowserSessions,
    private readonly accounts: AccountsService,
    private readonly removals: WalletRemovals,
    private readonly limit: SessionLimit,
  ) {}

  /**
   * Admits a live session and counts the request. A suspended account has no live session.
   * @throws without a live session: SignInNeeded, or ApiError `unauthenticated` when the client prefers JSON. ApiError
   *   `rate_limited` when the account has used up its limit.
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const binding = this.cookies.readSession(request);
    this.limit.assertNotOver(request, binding);
    const session = await this.sessions.find(binding);
    const leaving = session === null ? null : await this.removals.leaving(session.accountId);
    if (binding === null || session === null || leaving === null || leaving.gone.includes(session.walletAddress)) {
      if (binding !== null) this.cookies.clearSession(http.getResponse<Response>());
      throw prefersJson(request) ? signedOut() : new SignInNeeded();
    }
    await this.limit.take(request, binding, session.accountId);
    const account = await this.accounts.find(session.accountId);
    visits.set(request, { account, session, binding, leaving: leaving.going });
    return true;
  }
}

/** Parameter decorator for the signed-in person; only for routes with `SignedInGuard`. */
export const Visit = createParamDecorator((_: unknown, context: ExecutionContext): AccountVisit => {
  const visit = visits.get(context.switchToHttp().getRequest<Request>());
  if (!visit) throw new Error('Visit is used on a route without SignedInGuard');
  return visit;
});

function signedOut(): ApiError {
  return new ApiError('unauthenticated', 'Nobody is signed in here any more.', 'Open the page again and sign in.');
}
