import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BrowserCookies } from '../accounts/sessions/browser-cookies.js';
import { BrowserSessions } from '../accounts/sessions/browser-sessions.js';
import { AccountWallets } from '../accounts/wallets/account-wallets.js';
import type { WalletProof } from '../accounts/wallets/wallet-proof.js';

/** Starts a browser session for a wallet that has proved itself. */
@Injectable()
export class WalletSessions {
  constructor(
    private readonly wallets: AccountWallets,
    private readonly sessions: BrowserSessions,
    private readonly cookies: BrowserCookies,
  ) {}

  /**
   * Starts a session and ends the browser's former one, whose cookie is replaced. Resolves to the account's id. @throws
   * ApiError `account_suspended`.
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
    this.cookies.writeSession(response, token, session.expiresAt);
    if (before !== null) await this.sessions.end(before.accountId, before.id, requestId);
    return accountId;
  }
}
