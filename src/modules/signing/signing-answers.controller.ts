import { Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { holdsOnceSigned } from '#libs/prepared-action';
import { Environment } from '../../platform/config/environment.js';
import { ApiError } from '../../platform/http/api-error.js';
import { readJsonBody } from '../../platform/http/input/json-body.js';
import { requireOwnOrigin } from '../../platform/http/own-origin.js';
import { Public } from '../../platform/http/public-route.decorator.js';
import { qrDrawing } from '../../platform/pages/qr-code.js';
import { ActionHistory } from '../prepared-actions/lifecycle/action-history.js';
import { readSubmission } from '../prepared-actions/lifecycle/action-submission.js';
import { SubmissionsService } from '../prepared-actions/lifecycle/submissions.service.js';
import type { ApprovalDocument, LinkAnswer, ProgressAnswer, SimulationAnswer } from '#libs/approval-wire';
import { ApprovalDocuments } from './approval-documents.js';
import { ApprovalProgress } from './approval-progress.js';
import { ApprovalSimulations } from './approval-simulations.js';
import { waitsFor } from './pages/approval-copy.js';
import { SigningClaims } from './signing-claims.js';
import { SigningLimits } from './signing-limits.js';
import { LINK_IS_THE_CREDENTIAL, SigningDataRoutes } from './signing-routes.js';
import { type SigningVisit, SigningVisits } from './signing-visits.js';

/** JSON routes that the approval page's script calls; only for the browser that has the action open. */
@SigningDataRoutes()
export class SigningAnswersController {
  constructor(
    private readonly environment: Environment,
    private readonly visits: SigningVisits,
    private readonly claims: SigningClaims,
    private readonly limits: SigningLimits,
    private readonly history: ActionHistory,
    private readonly documents: ApprovalDocuments,
    private readonly progress: ApprovalProgress,
    private readonly simulations: ApprovalSimulations,
    private readonly submissions: SubmissionsService,
  ) {}

  @Get(':token/document')
  @Public(LINK_IS_THE_CREDENTIAL)
  async readDocument(@Param('token') token: string, @Req() request: Request): Promise<ApprovalDocument> {
    return this.documents.of((await this.read(token, request)).action);
  }

  @Get(':token/progress')
  @Public(LINK_IS_THE_CREDENTIAL)
  async readProgress(@Param('token') token: string, @Req() request: Request): Promise<ProgressAnswer> {
    return this.progress.of((await this.read(token, request)).action);
  }

  @Get(':token/simulation')
  @Public(LINK_IS_THE_CREDENTIAL)
  async readSimulation(@Param('token') token: string, @Req() request: Request): Promise<SimulationAnswer> {
    return this.simulations.of((await this.read(token, request)).action);
  }

  @Post(':token/submission')
  @HttpCode(200)
  @Public(LINK_IS_THE_CREDENTIAL)
  async submit(
    @Param('token') token: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const { visit, body } = await this.write(token, request, response);
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
    const { visit } = await this.write(token, request, response);
    const { status } = await this.history.statusOf(visit.action);
    if (waitsFor(status, visit.action) === null) {
      throw new ApiError('state_conflict', `The action is ${status}; it is not opened any more.`);
    }
    const url = await this.claims.newLink(visit.action);
    const qr = qrDrawing(url);
    return { signing_url: url, expires_at: visit.action.expiresAt.toISOString(), ...(qr === null ? {} : { qr }) };
  }

  private async read(token: string, request: Request): Promise<SigningVisit> {
    const visit = await this.visits.findHeld(token, request);
    await this.limits.takeRead(visit, request);
    return visit;
  }

  private async write(
    token: string,
    request: Request,
    response: Response,
  ): Promise<{ visit: SigningVisit; body: object }> {
    requireOwnOrigin(request, this.environment.baseUrl);
    const visit = await this.visits.findActing(token, request);
    await this.limits.takeWrite(visit, request);
    const { value = {} } = await readJsonBody(request, response);
    return { visit, body: value };
  }
}
