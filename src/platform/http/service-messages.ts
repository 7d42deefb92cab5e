import { DATA_POLICY } from './headers/content-security-policies.js';
import { nameCoding } from './headers/entity-tag.js';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import express, { type Express } from 'express';
import type { RequestContext } from './principal.js';

declare global {
  namespace Express {
    interface Request {
      /** On every request of the public listener. */
      context: RequestContext;
    }
  }
}

/** Headers of every response that the program did not set itself (docs/decisions/http.md#headers-of-every-response). */
const DEFAULT_HEADERS: readonly (readonly [string, string])[] = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', DATA_POLICY],
  ['Referrer-Policy', 'no-referrer'],
];

/** For a service that has a certificate: a browser must not call it without TLS again, for a year (RFC 6797). */
const HTTPS_HEADERS: readonly (readonly [string, string])[] = [['Strict-Transport-Security', 'max-age=31536000']];

/** The headers that no response of the service at `baseUrl` may lack, unless a handler has set them itself. */
export function defaultHeaders(baseUrl: string): readonly (readonly [string, string])[] {
  return baseUrl.startsWith('https:') ? [...DEFAULT_HEADERS, ...HTTPS_HEADERS] : DEFAULT_HEADERS;
}

type HeaderList = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** The request and response classes of one listener. */
export interface ServiceMessages {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse<IncomingMessage>;
}

/**
 * Classes whose prototypes are the Express app's own, for `http.createServer`. Express gives every request and response
 * new prototypes, which throws V8's hidden classes away and costs more than all guards together; on messages that are
 * born with them it changes nothing (docs/decisions/performance.md#requests-born-with-express-prototypes;
 * test/integration/platform/http-edges.int-spec.ts tells when that ends). The response adds the headers that no response may
 * lack as late as possible, so that nothing can drop them.
 */
export function serviceMessages(
  app: Express,
  { baseUrl, currentVersion }: { baseUrl: string; currentVersion: string },
): ServiceMessages {
  const defaults = defaultHeaders(baseUrl);

  class ServiceRequest extends IncomingMessage {
    readonly context: RequestContext = { requestId: '', version: currentVersion, versionNamed: false };
  }

  class ServiceResponse extends ServerResponse<ServiceRequest> {
    override writeHead(statusCode: number, reason?: string | HeaderList, headers?: HeaderList): this {
      if (!this.headersSent) completeHeaders(this, this.req.context, defaults);
      return typeof reason === 'string'
        ? super.writeHead(statusCode, reason, headers)
        : super.writeHead(statusCode, reason);
    }
  }

  adopt(app, ServiceRequest.prototype, express.request);
  adopt(app, ServiceResponse.prototype, express.response);
  Object.assign(app, { request: ServiceRequest.prototype, response: ServiceResponse.prototype });
  return { IncomingMessage: ServiceRequest, ServerResponse: ServiceResponse };
}

/** Puts Express's methods between our class and Node's. */
function adopt(app: Express, prototype: object, expressPrototype: object): void {
  Object.setPrototypeOf(prototype, expressPrototype);
  Object.defineProperty(prototype, 'app', { configurable: true, enumerable: true, writable: true, value: app });
}

function completeHeaders(
  response: ServerResponse,
  { version, requestId }: RequestContext,
  defaults: ReturnType<typeof defaultHeaders>,
): void {
  for (const [name, value] of defaults) {
    if (!response.hasHeader(name)) response.setHeader(name, value);
  }
  // Every response names the version that served it. rule: docs/decisions/interface.md#versions
  response.setHeader('Service-Version', version);
  if (requestId !== '') response.setHeader('X-Request-Id', requestId);
  response.appendHeader('Vary', 'Service-Version');
  nameCoding(response);
}
