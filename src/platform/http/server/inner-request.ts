import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import type { Express } from 'express';
import type { ServiceMessages } from '../service-messages.js';

/** A request that the service makes to itself. */
export interface InnerRequest {
  method: string;
  /** Path and query. */
  target: string;
  /** Lower-case names. What identifies the caller is among them: nothing else does. */
  headers: Readonly<Record<string, string>>;
  body?: Buffer;
  /** Address of whoever caused the request; limits and bans see it as the client. */
  clientAddress: string | undefined;
}

export interface InnerAnswer {
  status: number;
  body: Buffer;
  /** True: it is the answer of an earlier request with the same idempotency key. */
  isReplayed: boolean;
}

/**
 * Sends a request through everything that a request of the network passes after Node's parser: middlewares, guards,
 * idempotency, handler, error filter, access line. It takes no connection, so no connection limit and no proxy is in
 * between; it carries no context of the request that caused it, so it is let in by its headers alone
 * (docs/decisions/http.md#mcp). Never rejects: what fails is answered as it is to anybody.
 */
export function sendInside(
  app: Express,
  { IncomingMessage, ServerResponse }: ServiceMessages,
  inner: InnerRequest,
): Promise<InnerAnswer> {
  const request = requestOf(IncomingMessage, inner);
  const response = new ServerResponse(request);
  const chunks: Buffer[] = [];
  keepBody(response, chunks);
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  // Node counts the bytes of an answer as sent once its socket has taken them; this one takes and forgets them.
  response.assignSocket(Object.assign(new Socket(), { write: sink.write.bind(sink), end: sink.end.bind(sink) }));
  return new Promise((resolve) => {
    const settle = (): void => {
      response.emit('close');
      const isReplayed = response.getHeader('Idempotent-Replayed') === 'true';
      resolve({ status: response.statusCode, body: Buffer.concat(chunks), isReplayed });
    };
    response.once('finish', settle);
    app(request, response);
  });
}

function requestOf(
  Message: ServiceMessages['IncomingMessage'],
  { method, target, headers, body, clientAddress }: InnerRequest,
): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: clientAddress });
  const request = new Message(socket);
  const all: Record<string, string> = {
    host: 'localhost',
    ...headers,
    ...(body === undefined ? {} : { 'content-length': String(body.length) }),
  };
  Object.assign(request, { method, url: target, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
  request.headers = all;
  request.headersDistinct = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, [value]]));
  request.rawHeaders = Object.entries(all).flat();
  if (body !== undefined) request.push(body);
  request.push(null);
  request.complete = true;
  return request;
}

/** Copies what is written into the body of an answer; the answer itself takes its usual course. */
function keepBody(response: ServerResponse, chunks: Buffer[]): void {
  const [write, end] = [response.write.bind(response), response.end.bind(response)];
  const keep = (chunk: unknown): void => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, 'utf8'));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  Object.assign(response, {
    write: (...args: Parameters<typeof write>) => {
      keep(args[0]);
      return write(...args);
    },
    end: (...args: Parameters<typeof end>) => {
      keep(args[0]);
      return end(...args);
    },
  });
}
