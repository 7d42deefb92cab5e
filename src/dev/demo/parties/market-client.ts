import { randomUUID } from 'node:crypto';
import type { Scope } from '../../../modules/credentials/scope.js';
import { LONGEST_EVENT_WAIT_MS } from './longest-event-wait.js';
import { expectThat } from './step-reporter.js';

export interface Answer {
  status: number;
  text: string;
  headers: Headers;
}

/** What a request carries beside its path. */
export interface Sent {
  /** Sent as JSON; absent: no body. */
  body?: object;
  /** Sent as they are, instead of a body. */
  bytes?: Uint8Array;
  /** Idempotency-Key; absent: a new one, used again for every retry of this request. */
  key?: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

/** What can end the waiting for an action. */
const ACTION_EVENTS = [
  'action.signed',
  'action.submitted',
  'action.failed',
  'action.confirmed',
  'action.finalized',
  'action.declined',
  'action.expired',
  'action.superseded',
] as const;
const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 200;
/** Statuses by which the service asks the client to try again later. */
const AGAIN_LATER = new Set([429, 503]);

/** HTTP client of one account: an API key per scope, and an Idempotency-Key per call, which makes retries safe. */
export class MarketClient {
  constructor(
    private readonly baseUrl: string,
    private readonly keys: Readonly<Record<Scope, string>>,
  ) {}

  /** @throws DemoMismatch unless it is answered 200. `T` is what the interface promises for the path. */
  async get<T>(path: string): Promise<T> {
    return bodyOf<T>(`GET ${path}`, await this.request('read', 'GET', path));
  }

  /** Opens the stream of what becomes of the account's actions; the answer may be an error. */
  openActionStream(signal: AbortSignal): Promise<Response> {
    return fetch(`${this.baseUrl}/v1/events/stream?types=${ACTION_EVENTS.join(',')}`, {
      headers: { 'X-Api-Key': this.keys.read },
      signal,
    });
  }

  /** @throws DemoMismatch unless it is answered 200. */
  async send<T>(scope: Scope, method: Method, path: string, sent: Sent = {}): Promise<T> {
    return bodyOf<T>(`${method} ${path}`, await this.request(scope, method, path, sent));
  }

  /**
   * Sends a request and returns the answer, errors included. Retries on 429 and 503 after the time of `Retry-After`,
   * and when the service does not answer. Throws DemoMismatch when the last attempt gets no answer.
   */
  async request(scope: Scope, method: Method, path: string, { body, bytes, key }: Sent = {}): Promise<Answer> {
    const idempotencyKey = key ?? randomUUID();
    const headers = {
      'X-Api-Key': this.keys[scope],
      ...(method === 'GET' ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(bytes === undefined ? {} : { 'Content-Type': 'text/markdown' }),
    };
    const content = bytes === undefined ? body && JSON.stringify(body) : Buffer.from(bytes);
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.once(path, { method, headers, ...(content === undefined ? {} : { body: content }) });
      const isLast = attempt === ATTEMPTS;
      if (answer instanceof Error) {
        expectThat(!isLast, `${method} ${path} was not answered: ${answer.message}`);
        await pause(FIRST_PAUSE_MS * 2 ** attempt);
      } else if (isLast || !AGAIN_LATER.has(answer.status)) {
        return answer;
      } else {
        await pause(Number(answer.headers.get('retry-after') ?? 1) * 1000);
      }
    }
  }

  private async once(path: string, init: RequestInit): Promise<Answer | Error> {
    try {
      const response = await fetch(`${this.baseUrl}${path}`, {
        ...init,
        signal: AbortSignal.timeout(LONGEST_EVENT_WAIT_MS),
      });
      return { status: response.status, text: await response.text(), headers: response.headers };
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }
}

/** The stable code of an error answer. */
export function errorCode({ text }: Answer): string {
  const { error }: { error?: { code?: string } } = JSON.parse(text);
  return error?.code ?? 'no code';
}

function bodyOf<T>(request: string, { status, text }: Answer): T {
  expectThat(status === 200, `${request} answered ${status}: ${text}`);
  const body: T = JSON.parse(text);
  return body;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
