import { HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { LinkAnswer } from '#libs/approval-wire';
import { holdsOnceSigned } from '#libs/prepared-action';
import { ApiError } from '../../platform/http/api-error.js';
import { Public } from '../../platform/http/public-route.decorator.js';
import { qrDrawing } from '../../platform/pages/qr-code.js';
import { ActionHistory } from '../prepared-actions/lifecycle/action-history.js';
import { readSubmission } from '../prepared-actions/lifecycle/action-submission.js';
import { SubmissionsService } from '../prepared-actions/lifecycle/submissions.service.js';
import { waitsFor } from './pages/approval-copy.js';
import { LINK_IS_THE_CREDENTIAL, SigningDataRoutes } from './signing-routes.js';
import { SigningClaims } from './visits/signing-claims.js';
import { SigningEntrance } from './visits/signing-entrance.js';

/**
 * What the approval page's script hands in, a signature or a transaction, and the link it makes for another device; only
 * for the browser that has the action open.
 */
@SigningDataRoutes()
export class SigningSubmissionsController {
  constructor(
    private readonly entrance: SigningEntrance,
    private readonly claims: SigningClaims,
    private readonly history: ActionHistory,
    private readonly submissions: SubmissionsService,
  ) {}

  @Post(':token/submission')
  @HttpCode(200)
  @Public(LINK_IS_THE_CREDENTIAL)
  async submit(
    @Param('token') token: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const { visit, body } = await this.entrance.call(token, request, response);
    const { id, accountId, scope, kind } = visit.action;
    const { status, transaction_hash, transaction } = await this.submissions.submit(
      { accountId, scopes: [scope] },
      id,
      readSubmission(body),
    );
    // Undefined members are left out of the JSON. A kind that takes effect by its signature needs no transaction.
    return { status, transaction_hash, transaction: holdsOnceSigned(kind) ? undefined : transaction };
  }

  @Post(':token/link')
  @HttpCode(200)
  @Public(LINK_IS_THE_CREDENTIAL)
  async makeLink(
    @Param('token') token: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LinkAnswer> {
    const { visit } = await this.entrance.call(token, request, response);
    const { status } = await this.history.statusOf(visit.action);
    if (waitsFor(status, visit.action) === null) {
      throw new ApiError('state_conflict', `The action is ${status}; it is not opened any more.`);
    }
    const url = await this.claims.newLink(visit.action);
    const qr = qrDrawing(url);
    return { signing_url: url, expires_at: visit.action.expiresAt.toISOString(), ...(qr === null ? {} : { qr }) };
  }
}
