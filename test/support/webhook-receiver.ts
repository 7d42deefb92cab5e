import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** What a receiver got. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The event. */
  id: string;
  sequence: number;
  type: string;
  atMs: number;
}

type Answer = (response: ServerResponse, received: Received) => void;

/** An HTTP server on loopback that keeps what it gets, and answers as the spec says; 200 while it says nothing. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  readonly answers = new Map<string, Answer>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param tls certificate and key in PEM; absent for plain HTTP. */
  static async listen(tls?: { cert: string; key: string }): Promise<WebhookReceiver> {
    const server = tls === undefined ? createServer() : createTlsServer(tls);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const receiver = new WebhookReceiver(server, `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`);
    server.on('request', (request, response) => {
      response.on('error', () => undefined);
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => receiver.take(request.url ?? '', request.headers, Buffer.concat(chunks), response));
    });
    return receiver;
  }

  /** What came to a path. */
  at(path: string): Received[] {
    return this.received.filter((one) => one.path === path);
  }

  /** Ids of the events that came to a path, in order, those that came again too. */
  idsAt(path: string): string[] {
    return this.at(path).map(({ id }) => id);
  }

  /** Answers all requests to a path with this status. */
  say(path: string, status: number, headers: Record<string, string> = {}): void {
    this.answers.set(path, (response) => response.writeHead(status, headers).end(`status ${status}`));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private take(path: string, headers: IncomingHttpHeaders, bytes: Buffer, response: ServerResponse): void {
    const body = bytes.toString('utf8');
    const { id, sequence, type } = JSON.parse(body) as { id: string; sequence: number; type: string };
    const received = { path, headers, body, id, sequence, type, atMs: Date.now() };
    this.received.push(received);
    const answer = this.answers.get(path);
    if (answer) answer(response, received);
    else response.end('ok');
  }
}
