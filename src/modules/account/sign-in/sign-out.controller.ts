import { Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { Public } from '../../../platform/http/public-route.decorator.js';
import { BrowserCookies } from '../../accounts/sessions/browser-cookies.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import { AccountForms } from '../signed-in/account-forms.js';
import { AccountPageController, SESSION_IS_THE_CREDENTIAL } from '../signed-in/account-page-routes.js';
import { redirectTo } from '../signed-in/notices.js';
import { type AccountVisit, Visit } from '../signed-in/signed-in.guard.js';

/** Ends the session of this browser. */
@AccountPageController('account/sign-out')
export class SignOutController {
  constructor(
    private readonly environment: Environment,
    private readonly forms: AccountForms,
    private readonly sessions: BrowserSessions,
    private readonly cookies: BrowserCookies,
  ) {}

  @Post()
  @Public(SESSION_IS_THE_CREDENTIAL)
  async signOut(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.forms.read(visit, request, response);
    await this.sessions.end(visit.account.id, visit.session.id, request.context.requestId);
    this.cookies.clearSession(response);
    redirectTo(response, this.environment.baseUrl, '/account/sign-in', 'signed-out');
  }
}
