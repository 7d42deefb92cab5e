import { Get, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ApprovalDocument, ProgressAnswer, SimulationAnswer } from '#libs/approval-wire';
import { Public } from '../../platform/http/public-route.decorator.js';
import { ApprovalDocuments } from './approval/approval-documents.js';
import { ApprovalProgress } from './approval/approval-progress.js';
import { ProgressWaits } from './approval/progress-waits.js';
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
    private readonly waits: ProgressWaits,
    private readonly simulations: ApprovalSimulations,
  ) {}

  @Get(':token/document')
  @Public(LINK_IS_THE_CREDENTIAL)
  async readDocument(@Param('token') token: string, @Req() request: Request): Promise<ApprovalDocument> {
    return this.documents.documentOf((await this.entrance.read(token, request)).action);
  }

  /**
   * With the status that the page knows in `known`, the answer waits until something else is told of the action, for some
   * seconds at most; it is the same answer.
   */
  @Get(':token/progress')
  @Public(LINK_IS_THE_CREDENTIAL)
  async readProgress(
    @Param('token') token: string,
    @Query('known') known: unknown,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProgressAnswer> {
    const { action } = await this.entrance.read(token, request);
    if (typeof known !== 'string') return this.progress.progressOf(action);
    const wait = await this.waits.begin(action, response);
    try {
      // What happens after this reading ends the wait, which has begun before it.
      const progress = await this.progress.progressOf(action);
      if (wait === null || progress.status !== known) return progress;
      await wait.over;
      if (response.destroyed) return progress;
    } finally {
      wait?.end();
    }
    return this.progress.progressOf((await this.entrance.readAgain(token, request)).action);
  }

  @Get(':token/simulation')
  @Public(LINK_IS_THE_CREDENTIAL)
  async readSimulation(@Param('token') token: string, @Req() request: Request): Promise<SimulationAnswer> {
    return this.simulations.simulate((await this.entrance.read(token, request)).action);
  }
}
