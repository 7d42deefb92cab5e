import { request as httpRequest, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { eventually } from './eventually.js';

/** A frame of a stream that is an event. */
export interface StreamFrame {
  id: string;
  event: string;
  data: any;
  /** When it arrived, milliseconds of the monotonic clock. */
  atMs: number;
}

export interface StreamRequest {
  key: string;
  query?: string;
  lastEventId?: string;
  method?: string;
  headers?: OutgoingHttpHeaders;
}

/** Reads a stream of events as `EventSource` does, on a connection of its own. */
export class EventStreamReader {
  readonly frames: StreamFrame[] = [];
  comments = 0;
  retryMs: number | null = null;
  /** As `EventSource` keeps it: of the last frame that had one, event or not. */
  lastEventId: string;
  /** `whole` when the answer ended as one that is complete, `cut` when the connection was lost; null while it goes on. */
  end: 'whole' | 'cut' | null = null;
  private rest = '';

  private constructor(
    private readonly request: ClientRequest,
    readonly response: IncomingMessage,
    lastEventId: string,
  ) {
    this.lastEventId = lastEventId;
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.take(text));
    response.on('end', () => (this.end ??= 'whole'));
    response.on('error', () => (this.end ??= 'cut'));
    response.on('close', () => (this.end ??= 'cut'));
  }

  /** Resolves when the head of the answer is there, whatever its status. */
  static open(
    url: string,
    { key, query = '', lastEventId, method, headers }: StreamRequest,
  ): Promise<EventStreamReader> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(`${url}/v1/events/stream${query}`, {
        agent: false,
        method: method ?? 'GET',
        headers: {
          'X-Api-Key': key,
          Accept: 'text/event-stream',
          ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
          ...headers,
        },
      });
      request.on('error', reject);
      request.on('response', (response) => resolve(new EventStreamReader(request, response, lastEventId ?? '')));
      request.end();
    });
  }

  get status(): number {
    return this.response.statusCode ?? 0;
  }

  get ids(): string[] {
    return this.frames.map(({ id }) => id);
  }

  /** The body of an answer that is none. */
  async refusal(): Promise<any> {
    await eventually(() => this.end !== null);
    return JSON.parse(this.rest);
  }

  close(): void {
    this.request.destroy();
  }

  private take(text: string): void {
    this.rest += text;
    if (this.response.headers['content-type'] !== 'text/event-stream') return;
    const blocks = this.rest.split('\n\n');
    this.rest = blocks.pop() ?? '';
    for (const block of blocks) this.frame(block);
  }

  private frame(block: string): void {
    const fields: Record<string, string> = {};
    for (const line of block.split('\n')) {
      const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
      if (name === '') this.comments += 1;
      else fields[name] = value;
    }
    if (fields['retry'] !== undefined) this.retryMs = Number(fields['retry']);
    if (fields['id'] !== undefined) this.lastEventId = fields['id'];
    if (fields['data'] === undefined) return;
    const [id, event] = [this.lastEventId, fields['event'] ?? 'message'];
    this.frames.push({ id, event, data: JSON.parse(fields['data']), atMs: performance.now() });
  }
}
