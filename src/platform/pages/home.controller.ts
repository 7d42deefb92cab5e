import { Controller, Get, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Environment } from '../config/environment.js';
import { Public } from '../http/public-route.decorator.js';
import { homePage, statusPage } from './home-page.js';
import { sendWebPage } from './page-shell.js';
import { prefersHtml } from './prefers-html.js';

const OPEN_TO_ALL = 'it says where things are, and nothing of anybody';

/** `/`, from which everything can be found, and `/status`, which answers while the service is up. */
@ApiExcludeController()
@Controller({ version: VERSION_NEUTRAL })
export class HomeController {
  constructor(private readonly environment: Environment) {}

  @Get()
  @Public(OPEN_TO_ALL)
  openHome(@Req() request: Request, @Res() response: Response): void {
    const { baseUrl } = this.environment;
    if (prefersHtml(request)) return sendWebPage(response, 200, homePage(this.environment), { isIndexed: true });
    const doors = { docs: 'docs', openapi: 'openapi.json', account: 'account', status: 'status' };
    sendJson(response, Object.fromEntries(Object.entries(doors).map(([name, path]) => [name, `${baseUrl}/${path}`])));
  }

  @Get('status')
  @Public(OPEN_TO_ALL)
  openStatus(@Req() request: Request, @Res() response: Response): void {
    if (prefersHtml(request)) return sendWebPage(response, 200, statusPage(this.environment));
    sendJson(response, { status: 'up' });
  }
}

function sendJson(response: Response, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body), 'utf8');
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', bytes.length);
  response.vary('Accept');
  response.status(200).end(response.req.method === 'HEAD' ? undefined : bytes);
}
