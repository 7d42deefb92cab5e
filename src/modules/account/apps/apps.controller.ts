import { Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { Public } from '../../../platform/http/public-route.decorator.js';
import { fieldOf } from '../../../platform/pages/form-body.js';
import { sendWebPage } from '../../../platform/pages/page-shell.js';
import { AccountForms } from '../signed-in/account-forms.js';
import { AccountFrames } from '../signed-in/account-frames.js';
import { AccountPageController, SESSION_IS_THE_CREDENTIAL } from '../signed-in/account-page-routes.js';
import { ConnectedApps } from './connected-apps.service.js';
import { redirectTo } from '../signed-in/notices.js';
import { typedLimits } from '../../credentials/spending/spend-limit-fields.js';
import { type FormProblem, problemOf } from '../page-parts/form-problem.js';
import type { LimitsDraft } from '../page-parts/limit-fields.js';
import { limitsInput } from '../page-parts/limits-input.js';
import { appsPage, limitsForm } from './apps.page.js';
import { type AccountVisit, Visit } from '../signed-in/signed-in.guard.js';

/** `/account/apps`: lists the applications that may act for the person, and revokes their access. */
@AccountPageController('account/apps')
export class AppsController {
  constructor(
    private readonly environment: Environment,
    private readonly frames: AccountFrames,
    private readonly forms: AccountForms,
    private readonly apps: ConnectedApps,
  ) {}

  @Get()
  @Public(SESSION_IS_THE_CREDENTIAL)
  async openApps(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.show(visit, request, response, null);
  }

  /** Lowering needs no wallet: whoever has stolen the session gains nothing by it. */
  @Post('limits')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async lowerAppLimits(
    @Visit() visit: AccountVisit,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await this.forms.read(visit, request, response);
    const clientId = fieldOf(form, 'client_id');
    const draft = { form: limitsForm(clientId), typed: typedLimits(form) };
    try {
      const limits = limitsInput(draft.form, draft.typed);
      await this.apps.lower(visit.account.id, clientId, limits, request.context.requestId);
    } catch (error) {
      await this.show(visit, request, response, problemOf(error), draft);
      return;
    }
    redirectTo(response, this.environment.baseUrl, '/account/apps', 'limits-lowered');
  }

  /** An application that is not connected gets the same answer, so that a second click is no error. */
  @Post('revoke')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async revokeApp(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): Promise<void> {
    const form = await this.forms.read(visit, request, response);
    await this.apps.revoke(visit.account.id, fieldOf(form, 'client_id'), request.context.requestId);
    redirectTo(response, this.environment.baseUrl, '/account/apps', 'app-revoked');
  }

  private async show(
    visit: AccountVisit,
    request: Request,
    response: Response,
    problem: FormProblem | null,
    draft?: LimitsDraft,
  ): Promise<void> {
    const apps = await this.apps.list(visit.account.id);
    const html = appsPage(this.frames.frameOf(visit, request, problem), apps, draft);
    sendWebPage(response, problem?.status ?? 200, html);
  }
}
