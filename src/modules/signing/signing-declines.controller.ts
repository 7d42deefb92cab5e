import { Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { DeclineAnswer } from '#libs/approval-wire';
import { Public } from '../../platform/http/public-route.decorator.js';
import { prefersJson } from '../../platform/pages/web-error.filter.js';
import { ActionDeclines } from '../prepared-actions/lifecycle/action-declines.js';
import { ActionHistory } from '../prepared-actions/lifecycle/action-history.js';
import { SigningPages } from './signing-pages.service.js';
import { LINK_IS_THE_CREDENTIAL, sendAnswer, SigningPageRoutes } from './signing-routes.js';
import { SigningEntrance } from './visits/signing-entrance.js';
import { SigningVisits } from './visits/signing-visits.js';

/** Declining an action, which needs no wallet. By a form, or by the page's script as JSON. */
@SigningPageRoutes()
export class SigningDeclinesController {
  constructor(
    private readonly entrance: SigningEntrance,
    private readonly visits: SigningVisits,
    private readonly history: ActionHistory,
    private readonly declines: ActionDeclines,
    private readonly pages: SigningPages,
  ) {}

  @Post(':token/decline')
  @Public(LINK_IS_THE_CREDENTIAL)
  async decline(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const visit = await this.entrance.decide(token, request, response);
    const by = await this.visits.declinerOf(visit, request);
    const action = await this.declines.decline(visit.action, by, request.context.requestId);
    if (prefersJson(request)) {
      const { status } = await this.history.statusOf(action);
      const answer: DeclineAnswer = { status };
      sendAnswer(response, answer);
    } else response.redirect(303, this.pages.baseOf(token));
  }
}
