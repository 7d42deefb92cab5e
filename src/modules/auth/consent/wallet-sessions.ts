import { Injectable } from '@nestjs/common';
import type { BrowserSessionEntity } from '../sessions/browser-session.entity.js';
import { BrowserCookies } from '../sessions/browser-cookies.js';
import { BrowserSessions } from '../sessions/browser-sessions.js';
import { WalletChallenges } from '../wallet-sign-in/wallet-challenges.js';
import { AccountWallets } from '../wallets/account-wallets.js';
import type { Visit } from './interactions.js';

/** What a browser sends when its wallet has signed. */
export interface SignedChallenge {
  challengeId: string;
  signature: string;
}

/** Turns the proof of a wallet into a session of this browser. */
@Injectable()
export class WalletSessions {
  constructor(
    private readonly challenges: WalletChallenges,
    private readonly wallets: AccountWallets,
    private readonly sessions: BrowserSessions,
    private readonly cookies: BrowserCookies,
  ) {}

  /**
   * Signs in; the session that the browser had before ends, for nobody could use it any more.
   * @throws ApiError `invalid_request` (proof), `account_suspended`, `service_unavailable` (the chain cannot be asked).
   */
  async start(
    { request, response, pending, binding, session: before }: Visit,
    signed: SignedChallenge,
  ): Promise<string> {
    const auditId = request.context.requestId;
    const asked = { binding, purpose: 'sign_in', requestId: pending.uid, auditId } as const;
    const proof = await this.challenges.redeem({ ...asked, ...signed });
    const account = await this.wallets.signIn(proof, auditId);
    const { token, session } = await this.sessions.start({
      accountId: account.id,
      walletAddress: proof.address,
      userAgent: request.headers['user-agent'] ?? '',
      requestId: auditId,
    });
    this.cookies.writeSession(response, token, session.expiresAt);
    await this.endReplaced(before, auditId);
    return account.id;
  }

  private async endReplaced(before: BrowserSessionEntity | null, auditId: string): Promise<void> {
    if (before !== null) await this.sessions.end(before.accountId, before.id, auditId);
  }
}
