import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { LoopbackServer } from './loopback-server.js';

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

  private server!: LoopbackServer;

  private constructor() {}

  /** @param tls certificate and key in PEM; absent for plain HTTP. */
  static async listen(tls?: { cert: string; key: string }): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    receiver.server = await LoopbackServer.listen(
      ({ url = '', headers }, body, response) => receiver.take(url, headers, body, response),
      tls,
    );
    return receiver;
  }

  get url(): string {
    return this.server.url;
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

  close(): Promise<void> {
    return this.server.close();
  }

  private take(path: string, headers: IncomingHttpHeaders, body: string, response: ServerResponse): void {
    const { id, sequence, type } = JSON.parse(body) as { id: string; sequence: number; type: string };
    const received = { path, headers, body, id, sequence, type, atMs: Date.now() };
    this.received.push(received);
    const answer = this.answers.get(path);
    if (answer) answer(response, received);
    else response.end('ok');
  }
}
