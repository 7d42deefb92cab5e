import { type ArgumentsHost, Catch, Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../config/environment.js';
import type { ApiError } from '../http/api-error.js';
import { ErrorFilter } from '../http/server/error.filter.js';
import { ERROR_CODES } from '../http/error-codes.js';
import { translateError } from '../http/server/translate-error.js';
import { errorPage } from './error-page.js';
import { sendWebPage } from './page-shell.js';

/** Answers an error of a page's route: as a page, or as the API does for a caller that prefers JSON. */
@Injectable()
@Catch()
export class WebErrorFilter extends ErrorFilter {
  private readonly log = new Logger('Pages');

  constructor(private readonly environment: Environment) {
    super();
  }

  override catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (response.headersSent || prefersJson(request)) {
      // oxlint-disable-next-line promise/valid-params -- a filter's, not a promise's
      super.catch(error, host);
      return;
    }
    const refusal = translateError(error);
    request.context.errorCode = refusal.code;
    if (refusal.status >= 500) this.log.error({ err: error, requestId: request.context.requestId }, 'page failed');
    this.send(request, response, refusal);
  }

  private send({ context }: Request, response: Response, refusal: ApiError): void {
    const { code, status, reason, suggestion, headers } = refusal;
    const entry: { status: number; retryAfter?: number } = ERROR_CODES[code];
    if (entry.retryAfter !== undefined) response.setHeader('Retry-After', entry.retryAfter);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const { displayName, baseUrl } = this.environment;
    const { requestId } = context;
    sendWebPage(response, status, errorPage({ displayName, baseUrl, status, reason, suggestion, requestId }));
  }
}

/** True for a caller that asks for JSON before HTML: the script of a page, or a program. */
export function prefersJson(request: Request): boolean {
  return request.accepts(['html', 'json']) === 'json';
}
