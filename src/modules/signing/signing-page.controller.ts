import { Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../platform/config/environment.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Public } from '../../platform/http/public-route.decorator.js';
import { readForm } from '../../platform/pages/form-body.js';
import { sendWebPage } from '../../platform/pages/page-shell.js';
import { prefersJson } from '../../platform/pages/web-error.filter.js';
import type { WalletDraft } from '../oauth/consent/wallet-form.js';
import { BrowserCookies } from '../accounts/sessions/browser-cookies.js';
import { sendChallenge } from '../sign-in/challenge-answer.js';
import { ActionHistory } from '../prepared-actions/lifecycle/action-history.js';
import { ClosedPages } from './closed-pages.service.js';
import { DeliveryLinks } from './delivery-links.js';
import { endedHeading, waitsFor } from './pages/approval-copy.js';
import { unknownLinkPage } from './pages/closed.pages.js';
import { SigningClaims } from './signing-claims.js';
import { SigningLimits } from './signing-limits.js';
import { SigningPages } from './signing-pages.service.js';
import { LINK_IS_THE_CREDENTIAL, SigningPageRoutes } from './signing-routes.js';
import { closedSummary, signingSummary } from './signing-summary.js';
import { type SigningVisit, SigningVisits } from './signing-visits.js';
import { WalletTakeover } from './wallet-takeover.js';

/** `/sign/{token}`: the approval page of one action, and the forms that open the action in a browser. */
@SigningPageRoutes()
export class SigningPageController {
  constructor(
    private readonly environment: Environment,
    private readonly visits: SigningVisits,
    private readonly claims: SigningClaims,
    private readonly limits: SigningLimits,
    private readonly history: ActionHistory,
    private readonly pages: SigningPages,
    private readonly closed: ClosedPages,
    private readonly takeover: WalletTakeover,
    private readonly cookies: BrowserCookies,
    private readonly deliveries: DeliveryLinks,
  ) {}

  @Get(':token')
  @Public(LINK_IS_THE_CREDENTIAL)
  async openSigningPage(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const visit = await this.findForPage(token, request, response);
    if (visit === null) return;
    await this.limits.takeRead(visit, request);
    if (prefersJson(request)) return this.sendSummary(visit, response);
    if (visit.holdsBy !== null) return this.pages.send(visit, response);
    const { status } = await this.history.statusOf(visit.action);
    this.closed.send(visit, status, request, response);
  }

  /**
   * Redirects to the delivery that the action is about. The link is made at this moment, because the page may have been
   * open for a long time.
   */
  @Get(':token/delivery')
  @Public(LINK_IS_THE_CREDENTIAL)
  async openDelivery(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const visit = await this.visits.findHeld(token, request);
    await this.limits.takeRead(visit, request);
    response.setHeader('Cache-Control', 'no-store');
    response.redirect(303, await this.deliveries.urlOf(visit.action));
  }

  /** GET of an address that only takes forms (typed, or reloaded) redirects to the page; it claims nothing. */
  @Get([':token/claim', ':token/challenge', ':token/take-over', ':token/decline', ':token/renew'])
  @Public(LINK_IS_THE_CREDENTIAL)
  reopenSigningPage(@Param('token') token: string, @Res() response: Response): void {
    response.redirect(303, this.pages.baseOf(token));
  }

  @Post(':token/claim')
  @Public(LINK_IS_THE_CREDENTIAL)
  async claim(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await readForm(request, response, this.environment.baseUrl);
    const visit = await this.visits.find(token, request);
    await this.limits.takeWrite(visit, request);
    const { status } = await this.history.statusOf(visit.action);
    if (visit.holdsBy === null) {
      if (waitsFor(status, visit.action) === null) {
        throw new ApiError('state_conflict', `${endedHeading(status, visit.action)}.`);
      }
      const secret = this.cookies.signingOf(request, response);
      const isOurs = await this.claims.byLink(visit, secret, request.context.requestId);
      if (!isOurs) {
        const late = await this.visits.find(token, request);
        this.closed.sendElsewhere(late, status, { request, response, httpStatus: 409 });
        return;
      }
    }
    response.redirect(303, this.pages.baseOf(token));
  }

  @Post(':token/challenge')
  @HttpCode(200)
  @Public(LINK_IS_THE_CREDENTIAL)
  async askForSignature(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const visit = await this.visits.find(token, request);
    await this.limits.takeWrite(visit, request);
    try {
      const challenge = await this.takeover.challenge(visit, request, response);
      if (prefersJson(request)) sendChallenge(response, challenge);
      else await this.showProof(visit, request, response, { challenge });
    } catch (error) {
      if (!isMistake(error) || prefersJson(request)) throw error;
      await this.showProof(visit, request, response, { problem: { field: 'address', text: textOf(error) } }, 400);
    }
  }

  @Post(':token/take-over')
  @Public(LINK_IS_THE_CREDENTIAL)
  async takeOver(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const visit = await this.visits.find(token, request);
    await this.limits.takeWrite(visit, request);
    try {
      await this.takeover.prove(visit, request, response);
    } catch (error) {
      if (!isMistake(error) || prefersJson(request)) throw error;
      const problem = { field: 'signature', text: textOf(error) } as const;
      await this.showProof(visit, request, response, { problem }, error.status);
      return;
    }
    const secret = this.cookies.signingOf(request, response);
    await this.claims.takeOver(visit.action, secret, request.context.requestId);
    response.redirect(303, this.pages.baseOf(token));
  }

  /** Null when there is no such link; the answer has been sent then. */
  private async findForPage(token: string, request: Request, response: Response): Promise<SigningVisit | null> {
    try {
      return await this.visits.find(token, request);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'not_found' || prefersJson(request)) throw error;
      sendWebPage(response, 404, unknownLinkPage(this.pages.frame));
      return null;
    }
  }

  private async sendSummary(visit: SigningVisit, response: Response): Promise<void> {
    const { action, holdsBy } = visit;
    const summary =
      holdsBy === null
        ? closedSummary(action, (await this.history.statusOf(action)).status)
        : signingSummary(await this.pages.contentOf(visit));
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.vary('Accept');
    response.status(200).end(JSON.stringify(summary));
  }

  private async showProof(
    visit: SigningVisit,
    request: Request,
    response: Response,
    draft: WalletDraft,
    httpStatus = 200,
  ): Promise<void> {
    const { status } = await this.history.statusOf(visit.action);
    this.closed.sendElsewhere(visit, status, { request, response, httpStatus, draft });
  }
}

/** True for an error that the person can correct in the same form. */
function isMistake(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === 'invalid_request' || error.code === 'claim_required');
}

function textOf({ reason, suggestion = '' }: ApiError): string {
  return `${reason} ${suggestion}`.trim();
}
