import { Controller, Get, Param, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { sendPage } from '../../platform/http/html-page.js';
import { Public } from '../../platform/http/public-route.decorator.js';
import { SigningPagesService } from './signing-pages.service.js';

/** The page behind `signing_url`. Its token is the credential, and it is never logged. */
@ApiExcludeController()
@Controller({ path: 'sign', version: VERSION_NEUTRAL })
export class SigningController {
  constructor(private readonly pages: SigningPagesService) {}

  @Get(':token')
  @Public('the token in the path is the credential')
  async openSigningPage(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    sendPage(request, response, await this.pages.open(token));
  }
}
