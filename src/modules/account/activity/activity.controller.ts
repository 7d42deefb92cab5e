import { Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../../../platform/http/public-route.decorator.js';
import { sendWebPage } from '../../../platform/pages/page-shell.js';
import { AccountActivity } from './account-activity.service.js';
import { AccountFrames } from '../signed-in/account-frames.js';
import { AccountPageController, SESSION_IS_THE_CREDENTIAL } from '../signed-in/account-page-routes.js';
import { activityPage } from './activity.page.js';
import { type AccountVisit, Visit } from '../signed-in/signed-in.guard.js';

/** `/account/activity`: the audit record of the account. */
@AccountPageController('account/activity')
export class ActivityController {
  constructor(
    private readonly frames: AccountFrames,
    private readonly activity: AccountActivity,
  ) {}

  @Get()
  @Public(SESSION_IS_THE_CREDENTIAL)
  async openActivity(@Visit() visit: AccountVisit, @Req() request: Request, @Res() response: Response): Promise<void> {
    const entries = await this.activity.latest(visit.account.id);
    sendWebPage(response, 200, activityPage(this.frames.frameOf(visit, request), entries));
  }
}
