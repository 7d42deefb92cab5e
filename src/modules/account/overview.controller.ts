import { Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../../platform/http/public-route.decorator.js';
import { sendWebPage } from '../../platform/pages/page-shell.js';
import { ApiKeysService } from '../credentials/api-keys/api-keys.service.js';
import { OAuthGrants } from '../oauth/storage/oauth-grants.js';
import { BrowserSessions } from '../accounts/sessions/browser-sessions.js';
import { AccountWallets } from '../accounts/wallets/account-wallets.js';
import { AccountWebhooks } from './webhooks/account-webhooks.service.js';
import { AccountFrames } from './signed-in/account-frames.js';
import { AccountPageController, SESSION_IS_THE_CREDENTIAL } from './signed-in/account-page-routes.js';
import { overviewPage } from './overview.page.js';
import { type AccountVisit, Visit } from './signed-in/signed-in.guard.js';

/** `/account`: the overview, on which a person arrives. */
@AccountPageController('account')
export class OverviewController {
  constructor(
    private readonly frames: AccountFrames,
    private readonly grants: OAuthGrants,
    private readonly keys: ApiKeysService,
    private readonly wallets: AccountWallets,
    private readonly sessions: BrowserSessions,
    private readonly webhooks: AccountWebhooks,
  ) {}

  @Get()
  @Public(SESSION_IS_THE_CREDENTIAL)
  async openAccount(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): Promise<void> {
    const { id: accountId, walletAddress: signingWallet } = visit.account;
    const [apps, keys, wallets, sessions, webhooks] = await Promise.all([
      this.grants.list(accountId),
      this.keys.listLive(accountId),
      this.wallets.list(accountId),
      this.sessions.list(accountId),
      this.webhooks.states(accountId),
    ]);
    const overview = {
      accountId,
      signingWallet,
      apps: apps.length,
      liveKeys: keys.length,
      wallets: wallets.length,
      sessions: sessions.length,
      webhooks,
    };
    sendWebPage(response, 200, overviewPage(this.frames.frameOf(visit, request), overview));
  }
}
