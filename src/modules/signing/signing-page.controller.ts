import { Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiError } from '../../platform/http/api-error.js';
import { Public } from '../../platform/http/public-route.decorator.js';
import { sendWebPage } from '../../platform/pages/page-shell.js';
import { prefersJson } from '../../platform/pages/web-error.filter.js';
import { ActionHistory } from '../prepared-actions/lifecycle/action-history.js';
import { ClosedPages } from './closed-pages.service.js';
import { DeliveryLinks } from './approval/delivery-links.js';
import { unknownLinkPage } from './pages/closed.pages.js';
import { SigningPages } from './signing-pages.service.js';
import { LINK_IS_THE_CREDENTIAL, SigningPageRoutes } from './signing-routes.js';
import { closedSummary, signingSummary } from './signing-summary.js';
import { SigningEntrance } from './visits/signing-entrance.js';
import type { SigningVisit } from './visits/signing-visits.js';

/** `/sign/{token}`: the approval page of one action, or a page that says why it is closed. */
@SigningPageRoutes()
export class SigningPageController {
  constructor(
    private readonly entrance: SigningEntrance,
    private readonly history: ActionHistory,
    private readonly pages: SigningPages,
    private readonly closed: ClosedPages,
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
    const visit = await this.entrance.read(token, request);
    response.setHeader('Cache-Control', 'no-store');
    response.redirect(303, await this.deliveries.urlOf(visit.action));
  }

  /** GET of an address that only takes forms (typed, or reloaded) redirects to the page; it claims nothing. */
  @Get([':token/claim', ':token/challenge', ':token/take-over', ':token/decline', ':token/renew'])
  @Public(LINK_IS_THE_CREDENTIAL)
  reopenSigningPage(@Param('token') token: string, @Res() response: Response): void {
    response.redirect(303, this.pages.baseOf(token));
  }

  /** Null when there is no such link; the answer has been sent then. */
  private async findForPage(token: string, request: Request, response: Response): Promise<SigningVisit | null> {
    try {
      return await this.entrance.view(token, request);
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
}
