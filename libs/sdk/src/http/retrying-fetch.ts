import { type AnswerFacts, factsOf, MarketUnreachable } from './market-error.js';
import { timeLimit } from './time-limit.js';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How requests are sent. */
export interface SendingOptions {
  /** Sends one request; absent: the one of the platform. */
  fetch?: Fetch;
  /** Retries after the first attempt; 0 to 10, by default 2. */
  retries?: number;
  /** Longest wait for one answer, of the market or of `node`, in milliseconds; by default 30 seconds. */
  timeoutMs?: number;
  /** Is told of every answer, also of those that are retried. */
  onResponse?: (facts: AnswerFacts & { method: string; url: string; attempt: number }) => void;
  /** Waits between attempts, for tests; absent: really. */
  pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 to below 1, for the jitter; absent: `Math.random`. */
  random?: () => number;
}

export const LONGEST_ANSWER_MS = 30_000;
/** Statuses by which a gateway or the service says that nobody has looked at the request. */
const AGAIN_LATER: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** A service that wants to be left alone for longer gets an error with `retryAfterSeconds` instead of a program that hangs. */
const LONGEST_RETRY_AFTER_SECONDS = 60;
const IN_PROGRESS = '"idempotency_in_progress"';

/**
 * Sends one logical request until it is answered. Every attempt has the same bytes and the same Idempotency-Key, so
 * that the service can see that they are one. Bodies of answers are read here, because a connection that breaks in the
 * middle of one must be retried as well.
 */
export class RetryingFetch {
  constructor(private readonly options: SendingOptions) {}

  /** Throws MarketUnreachable when the last attempt has no answer, and what the signal was aborted with. */
  async send(request: Request): Promise<Response> {
    const { retries = 2, onResponse, pause: rest = pause } = this.options;
    const { method, url } = request;
    const bytes = method === 'GET' ? new ArrayBuffer(0) : await request.arrayBuffer();
    const key = request.headers.get('Idempotency-Key') ?? undefined;
    for (let attempt = 1; ; attempt += 1) {
      let answer: Response | undefined;
      let fault: unknown;
      try {
        answer = await this.once(request, bytes);
      } catch (error) {
        request.signal.throwIfAborted();
        fault = error;
      }
      // Outside: what the caller throws is no fault of the network, and an answered write is not sent again for it.
      if (answer !== undefined) onResponse?.({ ...factsOf(answer), method, url, attempt });
      const waitMs = await this.waitBefore(attempt, answer);
      if (waitMs === null || attempt > retries) {
        if (answer === undefined) throw new MarketUnreachable(attempt, fault, key);
        return answer;
      }
      await rest(waitMs, request.signal);
    }
  }

  private async once({ url, method, headers, signal }: Request, bytes: ArrayBuffer) {
    const { fetch: own, timeoutMs = LONGEST_ANSWER_MS } = this.options;
    const init: RequestInit = {
      method,
      headers: Object.fromEntries(headers),
      // A credential must not follow a redirect to somebody else.
      redirect: 'error',
      signal: AbortSignal.any([signal, timeLimit(timeoutMs)]),
      ...(bytes.byteLength === 0 ? {} : { body: bytes }),
    };
    const response = await (own ?? fetch)(url, init);
    const body = await response.arrayBuffer();
    const hasBody = ![204, 205, 304].includes(response.status);
    return new Response(hasBody ? body : null, { status: response.status, headers: response.headers });
  }

  /** Milliseconds until the next attempt; null: this answer is one. */
  private async waitBefore(attempt: number, answer: Response | undefined): Promise<number | null> {
    const { random = Math.random } = this.options;
    const jitterMs = random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
    if (answer === undefined) return jitterMs;
    // 409 is never retried, but for one: what runs under this key is an earlier attempt of this very request.
    const isOwn = attempt > 1 && answer.status === 409 && (await answer.clone().text()).includes(IN_PROGRESS);
    if (!isOwn && !AGAIN_LATER.has(answer.status)) return null;
    const { retryAfterSeconds = 0 } = factsOf(answer);
    return retryAfterSeconds > LONGEST_RETRY_AFTER_SECONDS ? null : Math.max(jitterMs, retryAfterSeconds * 1000);
  }
}

/** Timers that are longer fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Resolves after so many milliseconds; rejects as soon as the signal is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      },
      Math.min(ms, LONGEST_TIMER_MS),
    );
    signal?.addEventListener('abort', abort, { once: true });
  });
}
