import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { ApiError } from './api-error.js';
import { isTrustedProxy } from './trusted-proxy.js';

/** Longest request target: path and query. The longest that the interface needs is a list with a cursor. */
const MAX_TARGET_LENGTH = 8192;
const REQUEST_ID = /^[A-Za-z0-9_-]{1,128}$/;
const MS_DIGITS = 1000;

/** What is known of a request once it is over. */
export interface RequestOutcome {
  request: Request;
  /** 499 when the caller went away before the answer was written. */
  status: number;
  /** Milliseconds from the first middleware to the end of the response. */
  durationMs: number;
}

const CLIENT_GONE = 499;

/**
 * The first middleware: gives the request its id, refuses what no route could want, and reports the outcome.
 * @param onOutcome called once per request, after its response.
 */
export function requestContext(onOutcome: (outcome: RequestOutcome) => void): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    request.context.requestId = requestIdOf(request);
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : CLIENT_GONE;
      const durationMs = Math.round((performance.now() - startedAt) * MS_DIGITS) / MS_DIGITS;
      onOutcome({ request, status, durationMs });
    });
    next(refusalOf(request));
  };
}

/** The id that a trusted proxy gave the request, or a new one. */
function requestIdOf(request: Request): string {
  const given = request.headers['x-request-id'];
  if (typeof given !== 'string' || !REQUEST_ID.test(given)) return randomUUID();
  return isTrustedProxy(request.app, request.socket.remoteAddress) ? given : randomUUID();
}

function refusalOf(request: Request): ApiError | undefined {
  if (request.url.length > MAX_TARGET_LENGTH) return new ApiError('uri_too_long', 'The request target is too long.');
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    return new ApiError('invalid_request', 'The request has no Host header.');
  }
  return undefined;
}
