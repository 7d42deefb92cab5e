import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ERROR_CODES } from '../error-codes.js';
import { notPolled } from '../headers/poll-interval.js';
import { translateError } from './translate-error.js';

/** In bytes (docs/decisions/interface.md#errors). */
const LARGEST_JSON_BODY = 65_536;

/**
 * The one way an error leaves: `{error: {code, reason, suggestion?}}`, whoever threw it
 * (docs/decisions/interface.md#errors).
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Errors');

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const refusal = translateError(error);
    request.context.errorCode = refusal.code;
    // A refusal is the service at work. Only faults are logged, with the details that the caller is not shown.
    if (refusal.status >= 500)
      this.logger.error({ err: error, requestId: request.context.requestId }, 'request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // What the route promises of its answers is not meant for a refusal: no cache may keep one.
    notPolled(response);
    for (const [name, value] of Object.entries(refusal.headers)) response.setHeader(name, value);
    const entry: { status: number; retryAfter?: number } = ERROR_CODES[refusal.code];
    if (entry.retryAfter !== undefined && !response.hasHeader('Retry-After')) {
      response.setHeader('Retry-After', entry.retryAfter);
    }
    if (isStillSending(request)) response.setHeader('Connection', 'close');
    const text = JSON.stringify(refusal.body());
    response.statusCode = refusal.status;
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    response.end(text);
  }
}

/**
 * True while more of the body is to come than Node would quietly read to its end to keep the connection: an upload that
 * is refused ends its connection instead.
 */
function isStillSending({ complete, headers }: Request): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > LARGEST_JSON_BODY;
}
