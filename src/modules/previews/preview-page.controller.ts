import { Controller, Get, Param, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { sendPage } from '../../platform/http/html-page.js';
import { Public } from '../../platform/http/public-route.decorator.js';
import { PreviewsService } from './previews.service.js';

/** The page behind a preview's `url`. Its token is the credential, and it is never logged. */
@ApiExcludeController()
@Controller({ path: 'previews', version: VERSION_NEUTRAL })
export class PreviewPageController {
  constructor(private readonly previews: PreviewsService) {}

  @Get(':token')
  @Public('the token in the path is the credential')
  async openPreview(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    sendPage(request, response, await this.previews.open(token));
  }
}
