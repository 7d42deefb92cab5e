import { Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../platform/config/environment.js';
import { readJsonBody } from '../../platform/http/input/json-body.js';
import { requireOwnOrigin } from '../../platform/http/own-origin.js';
import { Public } from '../../platform/http/public-route.decorator.js';
import { readForm } from '../../platform/pages/form-body.js';
import { prefersJson } from '../../platform/pages/web-error.filter.js';
import { BrowserCookies } from '../accounts/sessions/browser-cookies.js';
import { ActionDeclines } from '../prepared-actions/lifecycle/action-declines.js';
import { ActionHistory } from '../prepared-actions/lifecycle/action-history.js';
import { ActionRenewals } from '../prepared-actions/lifecycle/action-renewals.js';
import { SigningLinks } from '../prepared-actions/lifecycle/signing-links.js';
import type { DeclineAnswer, LinkAnswer } from '#libs/approval-wire';
import { SigningClaims } from './signing-claims.js';
import { SigningLimits } from './signing-limits.js';
import { SigningPages } from './signing-pages.service.js';
import { LINK_IS_THE_CREDENTIAL, SigningPageRoutes } from './signing-routes.js';
import { type SigningVisit, SigningVisits } from './signing-visits.js';

/** What a person can do without a wallet: decline an action or renew it. By a form, or by the page's script as JSON. */
@SigningPageRoutes()
export class SigningDecisionsController {
  constructor(
    private readonly environment: Environment,
    private readonly visits: SigningVisits,
    private readonly claims: SigningClaims,
    private readonly limits: SigningLimits,
    private readonly history: ActionHistory,
    private readonly declines: ActionDeclines,
    private readonly renewals: ActionRenewals,
    private readonly links: SigningLinks,
    private readonly pages: SigningPages,
    private readonly cookies: BrowserCookies,
  ) {}

  @Post(':token/decline')
  @Public(LINK_IS_THE_CREDENTIAL)
  async decline(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const visit = await this.receive(token, request, response);
    const by = await this.visits.declinerOf(visit, request);
    const action = await this.declines.decline(visit.action, by, request.context.requestId);
    if (prefersJson(request)) {
      const { status } = await this.history.statusOf(action);
      const answer: DeclineAnswer = { status };
      sendJson(response, answer);
    } else response.redirect(303, this.pages.baseOf(token));
  }

  @Post(':token/renew')
  @Public(LINK_IS_THE_CREDENTIAL)
  async renew(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const visit = await this.receive(token, request, response);
    await this.limits.takePreparation(visit.action.accountId, request);
    const { requestId } = request.context;
    const action = await this.renewals.renew(visit.action, requestId);
    const secret = this.cookies.readSigning(request);
    if (visit.holdsBy === 'claim' && secret !== null) await this.claims.afterRenewal(action, secret, requestId);
    const url = this.links.reopen(action);
    const answer: LinkAnswer = { signing_url: url, expires_at: action.expiresAt.toISOString() };
    if (prefersJson(request)) sendJson(response, answer);
    else response.redirect(303, new URL(url).pathname);
  }

  /**
   * Checks that the request is a form of this site or a call of the page's script, and returns its visit. The body's
   * content is ignored.
   */
  private async receive(token: string, request: Request, response: Response): Promise<SigningVisit> {
    if (prefersJson(request)) {
      requireOwnOrigin(request, this.environment.baseUrl);
      await readJsonBody(request, response);
    } else await readForm(request, response, this.environment.baseUrl);
    const visit = await this.visits.findActing(token, request);
    await this.limits.takeWrite(visit, request);
    return visit;
  }
}

function sendJson(response: Response, answer: DeclineAnswer | LinkAnswer): void {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.status(200).end(JSON.stringify(answer));
}
