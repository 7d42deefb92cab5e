import { type ArgumentsHost, Catch, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../config/environment.js';
import { ApiError } from '../http/api-error.js';
import { ErrorFilter } from '../http/server/error.filter.js';
import { errorPage } from './error-page.js';
import { sendWebPage } from './page-shell.js';
import { prefersHtml } from './prefers-html.js';

/** As `ErrorFilter`, but a person whose browser asks for a path that does not exist gets a page that says so. */
@Injectable()
@Catch()
export class UnknownPageFilter extends ErrorFilter {
  constructor(private readonly environment: Environment) {
    super();
  }

  override catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const isPage = error instanceof ApiError && error.code === 'unknown_route' && isReading(request);
    if (!isPage || response.headersSent || !prefersHtml(request)) {
      // oxlint-disable-next-line promise/valid-params -- a filter's, not a promise's
      super.catch(error, host);
      return;
    }
    const { displayName, baseUrl } = this.environment;
    const { context } = request;
    context.errorCode = error.code;
    const html = errorPage({
      displayName,
      baseUrl,
      status: 404,
      reason: 'This address does not exist.',
      suggestion: 'Check the address, or begin at the start page.',
      requestId: context.requestId,
      home: true,
    });
    sendWebPage(response, 404, html);
  }
}

function isReading({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}
