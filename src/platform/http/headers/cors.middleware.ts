import type { RequestHandler, Response } from 'express';

const EXPOSED = [
  'Service-Version',
  'X-Request-Id',
  'X-Limit-Remaining',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Link',
  'ETag',
  'Poll-Interval',
  'Idempotent-Replayed',
  'WWW-Authenticate',
  'DPoP-Nonce',
].join(', ');

const ACCEPTED = [
  'Authorization',
  'DPoP',
  'X-Api-Key',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'Last-Event-ID',
  'Service-Version',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
].join(', ');
const PREFLIGHT_SECONDS = 600;

/**
 * Lets the listed browser origins call the interface; any other origin gets no header, and so no answer a browser would
 * show it. Credentials are headers, never cookies, so `Access-Control-Allow-Credentials` is never sent.
 */
export function cors(origins: readonly string[]): RequestHandler {
  const allowed = new Set(origins);
  return (request, response, next) => {
    const { origin } = request.headers;
    if (allowed.size > 0) response.appendHeader('Vary', 'Origin');
    if (origin !== undefined && allowed.has(origin)) {
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.setHeader('Access-Control-Expose-Headers', EXPOSED);
      const method = request.headers['access-control-request-method'];
      if (request.method === 'OPTIONS' && method !== undefined) {
        answerPreflight(response);
        return;
      }
    }
    next();
  };
}

function answerPreflight(response: Response): void {
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
  response.setHeader('Access-Control-Allow-Headers', ACCEPTED);
  response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
  response.status(204).end();
}
