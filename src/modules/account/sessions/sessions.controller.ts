import { Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { Public } from '../../../platform/http/public-route.decorator.js';
import { sendWebPage } from '../../../platform/pages/page-shell.js';
import { BrowserCookies } from '../../accounts/sessions/browser-cookies.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import { AccountForms } from '../signed-in/account-forms.js';
import { AccountFrames } from '../signed-in/account-frames.js';
import { AccountPageController, SESSION_IS_THE_CREDENTIAL } from '../signed-in/account-page-routes.js';
import { type FormProblem, problemOf } from '../page-parts/form-problem.js';
import { redirectTo } from '../signed-in/notices.js';
import { sessionsPage } from './sessions.page.js';
import { type AccountVisit, Visit } from '../signed-in/signed-in.guard.js';

/** `/account/sessions`: browsers in which the person is signed in. */
@AccountPageController('account/sessions')
export class SessionsController {
  constructor(
    private readonly environment: Environment,
    private readonly frames: AccountFrames,
    private readonly forms: AccountForms,
    private readonly sessions: BrowserSessions,
    private readonly cookies: BrowserCookies,
  ) {}

  @Get()
  @Public(SESSION_IS_THE_CREDENTIAL)
  async openSessions(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.show(visit, request, response, null);
  }

  @Post('end-others')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async endOtherSessions(
    @Visit() visit: AccountVisit,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.forms.read(visit, request, response);
    await this.sessions.endOthers(visit.account.id, visit.session.id, request.context.requestId);
    redirectTo(response, this.environment.baseUrl, '/account/sessions', 'others-ended');
  }

  @Post(':session_id/end')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async endSession(
    @Param('session_id') sessionId: string,
    @Visit() visit: AccountVisit,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.forms.read(visit, request, response);
    try {
      await this.sessions.end(visit.account.id, sessionId, request.context.requestId);
    } catch (error) {
      await this.show(visit, request, response, problemOf(error));
      return;
    }
    const { baseUrl } = this.environment;
    if (sessionId !== visit.session.id) {
      redirectTo(response, baseUrl, '/account/sessions', 'session-ended');
      return;
    }
    this.cookies.clearSession(response);
    redirectTo(response, baseUrl, '/account/sign-in', 'signed-out');
  }

  private async show(
    visit: AccountVisit,
    request: Request,
    response: Response,
    problem: FormProblem | null,
  ): Promise<void> {
    const sessions = await this.sessions.list(visit.account.id);
    const html = sessionsPage(this.frames.frameOf(visit, request, problem), sessions, visit.session.id);
    sendWebPage(response, problem?.status ?? 200, html);
  }
}
