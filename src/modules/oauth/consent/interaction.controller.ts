import { Controller, Get, Param, Post, Req, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { Public } from '../../../platform/http/public-route.decorator.js';
import { publicPath } from '../../../platform/pages/assets/public-path.js';
import { WebErrorFilter } from '../../../platform/pages/web-error.filter.js';
import { InteractionConsent } from './interaction-consent.js';
import { InteractionRouter } from './interaction-router.js';
import { InteractionSignIn } from './interaction-sign-in.js';
import { Interactions } from './interactions.js';

const REASON = 'the cookie of the interaction says whose it is';

/** The pages between an application's request and its answer: sign-in and consent. */
@ApiExcludeController()
@UseFilters(WebErrorFilter)
@Controller({ path: 'oauth/interaction', version: VERSION_NEUTRAL })
export class InteractionController {
  constructor(
    private readonly interactions: Interactions,
    private readonly entrance: InteractionRouter,
    private readonly signIns: InteractionSignIn,
    private readonly consents: InteractionConsent,
    private readonly environment: Environment,
  ) {}

  @Get(':uid')
  @Public(REASON)
  async openInteraction(@Param('uid') uid: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.entrance.open(await this.interactions.visit(uid, request, response));
  }

  /** Redirects a person who opens or reloads the address of a form to the start of the interaction. */
  @Get([':uid/challenge', ':uid/sign-in', ':uid/consent', ':uid/cancel'])
  @Public(REASON)
  reopenInteraction(@Param('uid') uid: string, @Res() response: Response): void {
    response.redirect(303, publicPath(this.environment.baseUrl, `/oauth/interaction/${encodeURIComponent(uid)}`));
  }

  @Post(':uid/challenge')
  @Public(REASON)
  async askForSignature(@Param('uid') uid: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    response.status(200);
    await this.signIns.askForSignature(await this.interactions.visit(uid, request, response));
  }

  @Post(':uid/sign-in')
  @Public(REASON)
  async signIn(@Param('uid') uid: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.signIns.signIn(await this.interactions.visit(uid, request, response));
  }

  @Post(':uid/consent')
  @Public(REASON)
  async allow(@Param('uid') uid: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.consents.allow(uid, request, response);
  }

  @Post(':uid/cancel')
  @Public(REASON)
  async cancel(@Param('uid') uid: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.consents.cancel(await this.interactions.visit(uid, request, response));
  }
}
