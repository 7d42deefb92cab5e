import { HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiError } from '../../platform/http/api-error.js';
import { Public } from '../../platform/http/public-route.decorator.js';
import { prefersJson } from '../../platform/pages/web-error.filter.js';
import type { WalletDraft } from '../oauth/consent/wallet-form.js';
import { ActionHistory } from '../prepared-actions/lifecycle/action-history.js';
import { sendChallenge } from '../sign-in/challenge-answer.js';
import { ClosedPages } from './closed-pages.service.js';
import { endedHeading, waitsFor } from './pages/approval-copy.js';
import { SigningPages } from './signing-pages.service.js';
import { LINK_IS_THE_CREDENTIAL, SigningPageRoutes } from './signing-routes.js';
import { SigningClaims } from './visits/signing-claims.js';
import { SigningEntrance } from './visits/signing-entrance.js';
import type { SigningVisit } from './visits/signing-visits.js';
import { WalletTakeover } from './visits/wallet-takeover.js';

/** The forms that open an action in this browser: by its link, or by a proof of the wallet that is to sign. */
@SigningPageRoutes()
export class SigningClaimsController {
  constructor(
    private readonly entrance: SigningEntrance,
    private readonly claims: SigningClaims,
    private readonly history: ActionHistory,
    private readonly pages: SigningPages,
    private readonly closed: ClosedPages,
    private readonly takeover: WalletTakeover,
  ) {}

  @Post(':token/claim')
  @Public(LINK_IS_THE_CREDENTIAL)
  async claim(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const visit = await this.entrance.open(token, request, response);
    const { status } = await this.history.statusOf(visit.action);
    if (visit.holdsBy === null) {
      if (waitsFor(status, visit.action) === null) {
        throw new ApiError('state_conflict', `${endedHeading(status, visit.action)}.`);
      }
      const secret = this.entrance.secretOf(request, response);
      const isOurs = await this.claims.byLink(visit, secret, request.context.requestId);
      if (!isOurs) {
        const late = await this.entrance.again(token, request);
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
    const visit = await this.entrance.knock(token, request);
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
    const visit = await this.entrance.knock(token, request);
    try {
      await this.takeover.prove(visit, request, response);
    } catch (error) {
      if (!isMistake(error) || prefersJson(request)) throw error;
      const problem = { field: 'signature', text: textOf(error) } as const;
      await this.showProof(visit, request, response, { problem }, error.status);
      return;
    }
    const secret = this.entrance.secretOf(request, response);
    await this.claims.takeOver(visit.action, secret, request.context.requestId);
    response.redirect(303, this.pages.baseOf(token));
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
