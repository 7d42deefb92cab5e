import { createServer, type Server } from 'node:http';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response } from 'express';
import { answerNotModified } from '../headers/entity-tag.js';
import { isPolled } from '../headers/poll-interval.js';
import { type InnerAnswer, type InnerRequest, sendInside } from './inner-request.js';
import { answerParserError } from './parser-errors.js';
import { nextLink } from './next-link.js';
import { RawJson } from '../raw-json.js';
import { type ServiceMessages, serviceMessages } from '../service-messages.js';
import { answerUnknownRoute } from './unknown-route.js';

/** Facts of the deployment that the HTTP layer needs. */
export interface HttpLayerOptions {
  /** Public URL; the `Link` of pages is made from it. */
  baseUrl: string;
  /** Version that serves callers who name none. */
  currentVersion: string;
}

/** Request line and headers together; Node refuses more with an error that `answerParserError` answers. */
const MAX_HEADER_BYTES = 32 * 1024;

// docs/decisions/http.md#behind-a-gateway: longer than a gateway keeps its connections, so that only the gateway closes
// them.
const KEEP_ALIVE_MS = 75_000;
// Both run from a request's first byte, so they do not shorten the life of an idle connection. They are equal, because
// Node swaps the two when the headers' time is the longer one, and the request would get that longer time.
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = REQUEST_TIMEOUT_MS;
/** How often Node looks for requests that have run out of time: without it a slow one has up to twice as long. */
const TIMEOUT_CHECK_MS = 5_000;

/** Nest on Express with requests born with Express's prototypes, and with replies written as bytes. */
export class TasktreeExpressAdapter extends ExpressAdapter {
  private readonly messages: ServiceMessages;

  constructor(
    private readonly app: Express,
    private readonly layer: HttpLayerOptions,
  ) {
    super(app);
    this.messages = serviceMessages(app, layer);
  }

  /** Called by Nest when the application is made. */
  override initHttpServer(): void {
    const server: Server = createServer(
      // A missing Host header is refused by the first middleware, with the one error shape.
      {
        ...this.messages,
        maxHeaderSize: MAX_HEADER_BYTES,
        requireHostHeader: false,
        connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      },
      this.app,
    );
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.headersTimeout = HEADERS_TIMEOUT_MS;
    server.requestTimeout = REQUEST_TIMEOUT_MS;
    server.on('clientError', (error, socket) => answerParserError(error, socket, this.layer));
    // Without a listener Node answers an unknown expectation by itself, and without a body.
    server.on('checkExpectation', this.app);
    this.setHttpServer(server);
  }

  /** Sends a request of the service to itself, through everything that other requests pass (`sendInside`). */
  sendInside(request: InnerRequest): Promise<InnerAnswer> {
    return sendInside(this.app, this.messages, request);
  }

  /** Writes what a handler returned. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (body === null || typeof body !== 'object' || body instanceof StreamableFile) {
      return super.reply(response, body, statusCode);
    }
    if (statusCode !== undefined) response.statusCode = statusCode;
    const next = nextPageOf(body);
    if (next !== null) response.setHeader('Link', nextLink(this.layer.baseUrl, response.req.originalUrl, next));
    if (!(body instanceof RawJson)) return writeJson(response, JSON.stringify(body));
    for (const name of Object.keys(body.headers)) response.setHeader(name, body.headers[name] ?? '');
    return writeJson(response, body.text);
  }

  /** Called by Nest after the last route: whatever arrives here has none. */
  override setNotFoundHandler(): void {
    this.app.use(answerUnknownRoute(this.app));
  }
}

/**
 * Sent as bytes: a long text would be measured once more on its way to the socket, and get a buffer for the worst case.
 */
function writeJson(response: Response, text: string): Response {
  const bytes = Buffer.from(text, 'utf8');
  if (isPolled(response)) {
    // A cache of one person may hold answers of several credentials.
    response.appendHeader('Vary', 'Authorization, X-Api-Key');
    if (answerNotModified(response, bytes)) return response;
  }
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', bytes.length);
  return response.end(bytes);
}

/** The cursor in a page; null for anything else. */
function nextPageOf(body: object): string | null {
  return 'next_page' in body && typeof body.next_page === 'string' ? body.next_page : null;
}
