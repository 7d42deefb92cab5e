import { STATUS_CODES } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Pool } from 'undici';

/**
 * The endpoint did not answer, or what it answered is no answer of JSON-RPC. The error never names the endpoint's
 * address.
 */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure';

  constructor(
    /** The kind of failure, as the log names it. */
    readonly code: string,
    readonly shortMessage: string,
  ) {
    super(shortMessage);
  }
}

/** The endpoint's answer to one call. */
export type RpcAnswer = { readonly result: unknown } | { readonly error: object };

interface Call {
  readonly id: number;
  /** The call as JSON. */
  readonly text: string;
  readonly resolve: (answer: RpcAnswer) => void;
  readonly reject: (error: RpcFailure) => void;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface TransportOptions {
  /** Milliseconds of one request, from sending to the whole answer. */
  timeoutMs: number;
  /** Calls of one turn of the event loop that share a request, at most. */
  batch: number;
}

/** Characters of the calls that share a request, at most; one alone may be longer. */
const MAX_BATCH_CHARACTERS = 1_000_000;
const unzipped = promisify(gunzip);

/** JSON-RPC 2.0 over HTTP on kept connections: no retries, no cache. */
export class RpcTransport {
  private readonly pool: Pool;
  private readonly path: string;
  private readonly headers: Record<string, string>;
  private readonly options: TransportOptions;
  private waiting: Call[] = [];
  private lastId = 0;

  /** @param address URL of the endpoint; a user and a password in it become a Basic credential. */
  constructor(address: string, options: TransportOptions) {
    const { origin, pathname, search, username, password } = new URL(address);
    this.options = options;
    // A request has one limit for all of it (`timeoutMs`) instead of limits for its parts.
    this.pool = new Pool(origin, { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: options.timeoutMs } });
    this.path = `${pathname}${search}`;
    this.headers = { 'content-type': 'application/json', 'accept-encoding': 'gzip' };
    if (username === '' && password === '') return;
    const credential = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    this.headers['authorization'] = `Basic ${Buffer.from(credential).toString('base64')}`;
  }

  /** Sends a call together with the others of this turn of the event loop. @throws RpcFailure. */
  call(method: string, params: readonly unknown[]): Promise<RpcAnswer> {
    return new Promise((resolve, reject) => {
      this.lastId += 1;
      const id = this.lastId;
      const text = JSON.stringify({ method, params, id, jsonrpc: '2.0' });
      if (this.waiting.length === 0) setImmediate(() => this.sendWaiting());
      this.waiting.push({ id, text, resolve, reject });
    });
  }

  /** Closes the connections; calls that are under way fail. */
  async destroy(): Promise<void> {
    await this.pool.destroy();
  }

  private sendWaiting(): void {
    const calls = this.waiting;
    this.waiting = [];
    for (let from = 0; from < calls.length;) {
      const to = endOfBatch(calls, from, this.options.batch);
      void this.send(calls.slice(from, to));
      from = to;
    }
  }

  /** Never rejects: each call gets its answer or the failure of the request. */
  private async send(calls: readonly Call[]): Promise<void> {
    const [only] = calls;
    const body = calls.length === 1 && only ? only.text : `[${calls.map(({ text }) => text).join(',')}]`;
    try {
      const answers = answersIn(await this.post(body));
      for (const { id, resolve, reject } of calls) {
        const answer = answers.get(id);
        if (answer) resolve(answer);
        else reject(new RpcFailure('BAD_DATA', 'missing response for request'));
      }
    } catch (error) {
      const failure = failureOf(error);
      for (const { reject } of calls) reject(failure);
    }
  }

  private async post(body: string): Promise<Answer> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(new RpcFailure('TIMEOUT', 'request timeout')), this.options.timeoutMs);
    try {
      const {
        statusCode,
        headers,
        body: answer,
      } = await this.pool.request({
        method: 'POST',
        path: this.path,
        headers: this.headers,
        body,
        signal: abort.signal,
      });
      const isZipped = headers['content-encoding'] === 'gzip';
      const text = isZipped ? String(await unzipped(await answer.arrayBuffer())) : await answer.text();
      return { status: statusCode, text };
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Where the batch that begins at `from` ends. */
function endOfBatch(calls: readonly Call[], from: number, most: number): number {
  let to = from;
  let characters = 0;
  while (to < calls.length && to - from < most) {
    characters += calls[to]?.text.length ?? 0;
    if (to > from && characters > MAX_BATCH_CHARACTERS) break;
    to += 1;
  }
  return to;
}

/** By the ids of the calls. @throws RpcFailure when the endpoint refused the request, or SyntaxError. */
function answersIn({ status, text }: Answer): Map<unknown, RpcAnswer> {
  if (status < 200 || status > 299) {
    throw new RpcFailure('SERVER_ERROR', `server response ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd());
  }
  const parsed: unknown = JSON.parse(text);
  const answers = new Map<unknown, RpcAnswer>();
  for (const one of Array.isArray(parsed) ? (parsed as unknown[]) : [parsed]) {
    if (typeof one !== 'object' || one === null || !('id' in one)) continue;
    const answer = answerIn(one);
    if (answer) answers.set(one.id, answer);
  }
  return answers;
}

function answerIn(one: object): RpcAnswer | null {
  if ('error' in one && typeof one.error === 'object' && one.error !== null) return { error: one.error };
  return 'result' in one ? { result: one.result } : null;
}

/** A failure of a request, without the endpoint's address, which the system's own message may hold. */
function failureOf(error: unknown): RpcFailure {
  if (error instanceof RpcFailure) return error;
  if (error instanceof SyntaxError) return new RpcFailure('BAD_DATA', 'the answer is not JSON');
  const hasCode = typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';
  return new RpcFailure(hasCode ? String(error.code) : 'NETWORK_ERROR', 'no answer');
}
