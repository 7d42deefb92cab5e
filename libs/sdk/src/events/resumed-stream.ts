import type { components, EventData } from '../generated/interface.js';
import { type CallOptions, type Connection, type Opener, taken } from '../http/connection.js';
import { errorBodyOf, factsOf, MarketError } from '../http/market-error.js';
import { Pages } from '../http/pages.js';
import { pause } from '../http/retrying-fetch.js';

/** An event of any type, also of one that was added after this library was made. */
export type MarketEvent = components['schemas']['Event'];
export type KnownEventType = keyof EventData;
/** An event of a type that is known here. */
export type EventOf<T extends KnownEventType> = Omit<MarketEvent, 'type' | 'data'> & { type: T; data: EventData[T] };

/** Narrows an event to one of a known type. */
export function isEvent<T extends KnownEventType>(event: MarketEvent, type: T): event is MarketEvent & EventOf<T> {
  return event.type === type;
}

export interface StreamOptions extends CallOptions {
  /** Types of events, such as `task.matched`; absent: all. */
  types?: readonly string[];
  task_id?: string;
  /** Id of the last event that is done with; absent: from now on. */
  after?: string;
  /** True: what has happened already comes first, without a gap between the two. */
  past?: boolean;
  /** Is told of every connection. */
  onOpen?: () => void;
}

/** The service says something every 15 seconds; a connection that is silent for three times that is dead. */
const SILENCE_MS = 45_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

/**
 * What happens from now on, or behind an event. Comes back after every end of the connection, behind the last event that
 * the consumer has taken. Throws MarketError when the service refuses it for good, such as 400 `invalid_cursor` for a
 * place that is older than 90 days, and TypeError, or what `accessToken` throws, where there is no credential. Ends with the
 * signal.
 */
export class EventStream implements AsyncIterable<MarketEvent> {
  private retryMs = FIRST_RETRY_MS;

  constructor(
    private readonly connection: Connection,
    private readonly options: StreamOptions,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<MarketEvent, void, undefined> {
    const { signal } = this.options;
    let last = this.options.after;
    let newest = -1;
    for (let faults = 0; signal?.aborted !== true; faults += 1) {
      const silence = new AbortController();
      let leastMs = 0;
      // Outside: without a credential there is nothing to come back with.
      const open = await this.connection.opener('read');
      try {
        for await (const { id, event } of this.connect(open, last, silence)) {
          faults = 0;
          // What the list has told already comes again where it happened while the list was read.
          if (event !== null && event.sequence > newest) {
            yield event;
            newest = event.sequence;
          }
          // Only now: who stops at an event has not dealt with it.
          last = id ?? last;
        }
      } catch (error) {
        if (error instanceof MarketError) {
          if (error.status < 500 && error.status !== 429) throw error;
          leastMs = (error.retryAfterSeconds ?? 0) * 1000;
        }
      } finally {
        silence.abort();
      }
      const retryMs = Math.min(LONGEST_RETRY_MS, this.retryMs * 2 ** Math.min(faults, 5));
      await pause(Math.max(leastMs, retryMs), signal).catch(() => undefined);
    }
  }

  private async *connect(open: Opener, last: string | undefined, silence: AbortController): AsyncGenerator<Frame> {
    const { types, task_id: taskId, signal, onOpen, past } = this.options;
    const query = new URLSearchParams();
    if (types !== undefined) query.set('types', types.join());
    if (taskId !== undefined) query.set('task_id', taskId);
    const place: Record<string, string> = last === undefined ? {} : { 'Last-Event-ID': last };
    const ends = AbortSignal.any([silence.signal, signal].filter((one) => one !== undefined));
    let timer = setTimeout(() => silence.abort(), SILENCE_MS);
    // The timer ends also where the connection is given up before it is open: it would keep a program from ending.
    try {
      const response = await open(`/v1/events/stream?${query}`, place, ends);
      if (!response.ok || response.body === null) {
        const body: unknown = await response.json().catch(() => null);
        throw new MarketError(factsOf(response), errorBodyOf(body, response.status));
      }
      onOpen?.();
      // Read once the stream is open, so that nothing happens between the two.
      if (past === true && last === undefined) for await (const event of this.before()) yield { id: event.id, event };
      const decoder = new TextDecoder();
      let text = '';
      for await (const bytes of chunksOf(response.body, ends)) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        text += decoder.decode(bytes, { stream: true });
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          yield this.frameOf(text.slice(0, end));
          text = text.slice(end + 2);
        }
      }
    } finally {
      clearTimeout(timer);
    }
  }

  private before(): Pages<MarketEvent> {
    const { types, task_id, signal } = this.options;
    const api = this.connection.as('read', signal);
    const query = { task_id, types: types?.join() };
    return new Pages((cursor) => taken(api.GET('/v1/events', { params: { query: { ...query, cursor } } })));
  }

  private frameOf(text: string): Frame {
    const fields = new Map(text.split('\n').map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
    const retryMs = Number(fields.get('retry'));
    if (retryMs >= 0) this.retryMs = retryMs;
    const data = fields.get('data');
    return { id: fields.get('id'), event: data === undefined ? null : (JSON.parse(data) as MarketEvent) };
  }
}

interface Frame {
  readonly id: string | undefined;
  readonly event: MarketEvent | null;
}

/**
 * The chunks of a stream, until the signal. Not every browser iterates streams by itself, and Node 20 forgets after a garbage
 * collection that the signal of a request ends its body, too: it is cancelled here, or its connection would stay.
 */
async function* chunksOf(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    signal.removeEventListener('abort', cancel);
    await reader.cancel().catch(() => undefined);
  }
}
