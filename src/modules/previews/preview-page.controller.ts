import { Controller, Get, Param, Req, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../platform/http/public-route.decorator.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { sendWebPage } from '../../platform/pages/page-shell.js';
import { prefersJson, WebErrorFilter } from '../../platform/pages/web-error.filter.js';
import { UNTRUSTED_POLICY } from '../../platform/http/headers/content-security-policies.js';
import { PreviewsService } from './previews.service.js';

/** Serves the `url` of a preview. The token in the path is the credential and is never logged. */
@ApiExcludeController()
@Controller({ path: 'previews', version: VERSION_NEUTRAL })
@UseFilters(WebErrorFilter)
export class PreviewPageController {
  constructor(
    private readonly previews: PreviewsService,
    private readonly metrics: Metrics,
  ) {}

  @Get(':token')
  @Public('the token in the path is the credential')
  async openPreview(@Param('token') token: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const { document, json } = await this.previews.open(token, request.ip);
    this.metrics.countDownload('preview');
    if (!prefersJson(request)) return sendWebPage(response, 200, document, { policy: UNTRUSTED_POLICY });
    const body = Buffer.from(JSON.stringify(json), 'utf8');
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', body.length);
    response.setHeader('X-Robots-Tag', 'noindex, nofollow');
    response.vary('Accept');
    response.status(200).end(request.method === 'HEAD' ? undefined : body);
  }
}
