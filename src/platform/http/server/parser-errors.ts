import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError } from '../api-error.js';
import { hasLongBody } from '../long-body.js';
import { defaultHeaders } from '../service-messages.js';

/** What the headers of every response are made from. */
export interface AnsweringService {
  baseUrl: string;
  currentVersion: string;
}

/** A request line that is longer than any target the service takes, whether it ends or not. */
const LONG_REQUEST_LINE = /^[A-Z]+ \/[^\r\n]{8192}/;

/**
 * Answers a request that Node's HTTP parser refused, with the same headers and body as any other error. Such a request
 * never reaches a middleware, and after it the connection cannot be used.
 */
export function answerParserError(error: NodeJS.ErrnoException, socket: Duplex, service: AnsweringService): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && hasLongBody(socket)) return;
  socket.end(refusalText(refusalOf(error), service));
}

/** Answers a connection that is not taken, whatever it would have asked, and closes it. */
export function refuseConnection(socket: Socket, refusal: ApiError, service: AnsweringService): void {
  // A caller that has gone already needs no answer.
  socket.on('error', () => undefined);
  socket.end(refusalText(refusal, service));
  socket.destroySoon();
}

function refusalText(refusal: ApiError, { baseUrl, currentVersion }: AnsweringService): string {
  const body = JSON.stringify(refusal.body());
  const head = [
    `HTTP/1.1 ${refusal.status} ${refusal.status === 400 ? 'Bad Request' : 'Refused'}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Service-Version: ${currentVersion}`,
    `X-Request-Id: ${randomUUID()}`,
    'Vary: Service-Version',
    ...defaultHeaders(baseUrl).map(([name, value]) => `${name}: ${value}`),
    ...Object.entries(refusal.headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

function refusalOf(error: NodeJS.ErrnoException): ApiError {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return isTargetTooLong(error)
      ? new ApiError('uri_too_long', 'The request target is too long.')
      : new ApiError('headers_too_large', 'The request headers are too large.');
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError('invalid_request', 'The request did not arrive completely in time.');
  }
  return new ApiError('invalid_request', 'The request is not valid HTTP.');
}

/** True when what Node read last begins with a request line that alone is too long. */
function isTargetTooLong(error: NodeJS.ErrnoException): boolean {
  if (!('rawPacket' in error) || !Buffer.isBuffer(error.rawPacket)) return false;
  return LONG_REQUEST_LINE.test(error.rawPacket.toString('latin1'));
}
