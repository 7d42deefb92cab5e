import { Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { LinkAnswer } from '#libs/approval-wire';
import { Public } from '../../platform/http/public-route.decorator.js';
import { prefersJson } from '../../platform/pages/web-error.filter.js';
import { BrowserCookies } from '../accounts/sessions/browser-cookies.js';
import { SigningLinks } from '../prepared-actions/action/signing-links.js';
import { ActionRenewals } from '../prepared-actions/lifecycle/action-renewals.js';
import { LINK_IS_THE_CREDENTIAL, sendAnswer, SigningPageRoutes } from './signing-routes.js';
import { SigningClaims } from './visits/signing-claims.js';
import { SigningEntrance } from './visits/signing-entrance.js';
import { SigningLimits } from './visits/signing-limits.js';

/** Renewing an action that has ended, which needs no wallet. By a form, or by the page's script as JSON. */
@SigningPageRoutes()
export class SigningRenewalsController {
  constructor(
    private readonly entrance: SigningEntrance,
    private readonly limits: SigningLimits,
    private readonly claims: SigningClaims,
    private readonly renewals: ActionRenewals,
    private readonly links: SigningLinks,
    private readonly cookies: BrowserCookies,
  ) {}

  @Post(':token/renew')
  @Public(LINK_IS_THE_CREDENTIAL)
  async renew(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const visit = await this.entrance.decide(token, request, response);
    await this.limits.takePreparation(visit.action.accountId, request);
    const { requestId } = request.context;
    const action = await this.renewals.renew(visit.action, requestId);
    const secret = this.cookies.readSigning(request);
    if (visit.holdsBy === 'claim' && secret !== null) await this.claims.afterRenewal(action, secret, requestId);
    const url = this.links.reopen(action);
    const answer: LinkAnswer = { signing_url: url, expires_at: action.expiresAt.toISOString() };
    if (prefersJson(request)) sendAnswer(response, answer);
    else response.redirect(303, new URL(url).pathname);
  }
}
