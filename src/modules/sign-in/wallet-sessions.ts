import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BrowserCookies } from '../accounts/sessions/browser-cookies.js';
import { BrowserSessions } from '../accounts/sessions/browser-sessions.js';
import { AccountWallets } from '../accounts/wallets/account-wallets.js';
import type { WalletProof } from '../accounts/wallets/wallet-proof.js';
import { ApiError } from '../../platform/http/api-error.js';

/** Starts a browser session for a wallet that has proved itself. */
@Injectable()
export class WalletSessions {
  constructor(
    private readonly wallets: AccountWallets,
    private readonly sessions: BrowserSessions,
    private readonly cookies: BrowserCookies,
  ) {}

  /**
   * Starts a session and ends the browser's former one, whose cookie is replaced. Resolves to the account's id.
   * @throws ApiError `account_suspended`, `state_conflict` when the wallet was removed from its account meanwhile.
   */
  async start(request: Request, response: Response, proof: WalletProof): Promise<string> {
    const { requestId } = request.context;
    const before = await this.sessions.find(this.cookies.readSession(request));
    const { id: accountId } = await this.wallets.signIn(proof, requestId);
    const { token, session } = await this.sessions.start({
      accountId,
      walletAddress: proof.address,
      userAgent: request.headers['user-agent'],
      requestId,
    });
    // A removal that came in between has not seen the session; one that comes from here on ends it.
    if (!(await this.wallets.isOf(accountId, proof.address))) {
      await this.sessions.end(accountId, session.id, requestId);
      throw new ApiError('state_conflict', 'The wallet was removed from its account at this moment.', 'Sign in again.');
    }
    this.cookies.writeSession(response, token, session.expiresAt);
    if (before !== null) await this.sessions.end(before.accountId, before.id, requestId);
    return accountId;
  }
}
