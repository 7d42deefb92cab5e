import { Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { ApprovalDocument, ProgressAnswer, SimulationAnswer } from '#libs/approval-wire';
import { Public } from '../../platform/http/public-route.decorator.js';
import { ApprovalDocuments } from './approval/approval-documents.js';
import { ApprovalProgress } from './approval/approval-progress.js';
import { ApprovalSimulations } from './approval/approval-simulations.js';
import { LINK_IS_THE_CREDENTIAL, SigningDataRoutes } from './signing-routes.js';
import { SigningEntrance } from './visits/signing-entrance.js';

/** What the approval page's script reads, as JSON; only for the browser that has the action open. */
@SigningDataRoutes()
export class SigningAnswersController {
  constructor(
    private readonly entrance: SigningEntrance,
    private readonly documents: ApprovalDocuments,
    private readonly progress: ApprovalProgress,
    private readonly simulations: ApprovalSimulations,
  ) {}

  @Get(':token/document')
  @Public(LINK_IS_THE_CREDENTIAL)
  async readDocument(@Param('token') token: string, @Req() request: Request): Promise<ApprovalDocument> {
    return this.documents.documentOf((await this.entrance.read(token, request)).action);
  }

  @Get(':token/progress')
  @Public(LINK_IS_THE_CREDENTIAL)
  async readProgress(@Param('token') token: string, @Req() request: Request): Promise<ProgressAnswer> {
    return this.progress.progressOf((await this.entrance.read(token, request)).action);
  }

  @Get(':token/simulation')
  @Public(LINK_IS_THE_CREDENTIAL)
  async readSimulation(@Param('token') token: string, @Req() request: Request): Promise<SimulationAnswer> {
    return this.simulations.simulate((await this.entrance.read(token, request)).action);
  }
}
