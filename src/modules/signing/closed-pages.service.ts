import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ActionStatus } from '#libs/prepared-action';
import type { WalletDraft } from '../oauth/consent/wallet-form.js';
import { sendWebPage } from '../../platform/pages/page-shell.js';
import { BrowserCookies } from '../accounts/sessions/browser-cookies.js';
import { waitsFor } from './pages/approval-copy.js';
import { arrivingPage, type ClosedAction, elsewherePage, endedPage, unclaimedPage } from './pages/closed.pages.js';
import { SigningPages } from './signing-pages.service.js';
import type { SigningVisit } from './visits/signing-visits.js';
import { WalletTakeover } from './visits/wallet-takeover.js';

/** Pages for a browser that has not opened the action. */
@Injectable()
export class ClosedPages {
  constructor(
    private readonly pages: SigningPages,
    private readonly takeover: WalletTakeover,
    private readonly cookies: BrowserCookies,
  ) {}

  /** Sends the page for the action's state: it can be opened, it has ended, or it is open in another browser. */
  send(visit: SigningVisit, status: ActionStatus, request: Request, response: Response): void {
    const { frame } = this.pages;
    const base = this.pages.baseOf(visit.token);
    const shown = closedAction(visit, status);
    if (isClaimable(visit)) {
      const isAhead = waitsFor(status, shown) !== null;
      sendWebPage(response, 200, isAhead ? unclaimedPage(frame, shown, base) : endedPage(frame, shown));
      return;
    }
    if (this.isArriving(request)) {
      response.setHeader('Refresh', `0; url=${base}`);
      sendWebPage(response, 200, arrivingPage(frame, base));
      return;
    }
    this.sendElsewhere(visit, status, { request, response, httpStatus: 403 });
  }

  /** Sends the page for an action that is open elsewhere, on which the person can prove the wallet to take it over. */
  sendElsewhere(
    visit: SigningVisit,
    status: ActionStatus,
    {
      request,
      response,
      httpStatus,
      draft = {},
    }: { request: Request; response: Response; httpStatus: number; draft?: WalletDraft },
  ): void {
    const { frame } = this.pages;
    const base = this.pages.baseOf(visit.token);
    const wallet = this.takeover.formOf(visit, base, { request, response, draft });
    const claimedAt = visit.claim?.claimedAt ?? visit.action.openedAt ?? visit.action.createdAt;
    const shown = closedAction(visit, status);
    sendWebPage(
      response,
      httpStatus,
      elsewherePage(frame, shown, { claimedAt, wallet, walletScripts: this.pages.walletScripts }),
    );
  }

  /**
   * True for a browser that followed a link from another site. Its SameSite=Strict cookie is not sent then; the next
   * request, from this service's page, shows whether it has one.
   */
  private isArriving(request: Request): boolean {
    const site = request.headers['sec-fetch-site'];
    return (site === 'cross-site' || site === 'same-site') && this.cookies.readSigning(request) === null;
  }
}

/** The members of an action that the closed pages may show. */
function closedAction({ action }: SigningVisit, status: ActionStatus): ClosedAction {
  const { kind, walletAddress, expiresAt, signature, renewedBy, declinedBy } = action;
  return { kind, walletAddress, status, expiresAt, signature, renewedBy, declinedBy };
}

/** True while the link of this visit opens the action for the first browser that asks. */
function isClaimable({ claim, extraLink }: SigningVisit): boolean {
  return claim === null || (extraLink !== null && extraLink.usedAt === null);
}
