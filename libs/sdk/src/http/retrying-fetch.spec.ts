import { Random } from '../../../../test/support/random.js';
import { Marketplace } from '../marketplace.js';
import { MarketError, MarketUnreachable } from './market-error.js';
import type { Fetch, SendingOptions } from './retrying-fetch.js';

const RUNS = 10_000;
const SEED = 20261127;

type Fault = 'before' | 'inside' | 'after' | 'duplicate' | 'in_progress' | 429 | 502 | 503 | 504;
const FAULTS: readonly Fault[] = ['before', 'inside', 'after', 'duplicate', 'in_progress', 429, 502, 503, 504];

/** A service that keeps the answer of each Idempotency-Key, behind a network that has these faults, one an attempt. */
class FaultyMarket {
  /** Keys that were carried out. */
  readonly done = new Set<string>();
  /** What was sent under each key, different texts once each. */
  readonly sent = new Map<string, Set<string>>();
  attempts = 0;

  constructor(readonly faults: (Fault | undefined)[] = []) {}

  readonly fetch: Fetch = async (url, init) => {
    this.attempts += 1;
    const { 'idempotency-key': key = '' } = init.headers as Record<string, string>;
    const body = new TextDecoder().decode(init.body as ArrayBuffer);
    this.sent.set(key, (this.sent.get(key) ?? new Set()).add(`${init.method} ${url} ${body}`));
    const fault = this.faults.shift();
    if (fault === 'before') throw new TypeError('fetch failed');
    if (typeof fault === 'number') return refusal(fault, 'rate_limited', { 'Retry-After': '2' });
    if (fault === 'in_progress' && this.sent.get(key)?.size === 1 && this.attempts > 1) {
      return refusal(409, 'idempotency_in_progress');
    }
    // The same key once more is the same request: a network that repeats it changes nothing.
    this.done.add(key);
    if (fault === 'after') throw new TypeError('fetch failed');
    const text = JSON.stringify({ task_id: 'task_1', agents: [] });
    if (fault === 'inside') return new Response(brokenAfter(text.slice(0, 9)), { status: 200 });
    return new Response(text, { status: 200, headers: { 'Content-Type': 'application/json' } });
  };
}

function refusal(status: number, code: string, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify({ error: { code, reason: 'Later.', suggestion: 'Wait.' } }), { status, headers });
}

function brokenAfter(text: string): ReadableStream {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      controller.error(new TypeError('terminated'));
    },
  });
}

function client(market: FaultyMarket, own: SendingOptions = {}): { waits: number[]; invite: () => Promise<unknown> } {
  const waits: number[] = [];
  const pause = (ms: number): Promise<void> => Promise.resolve(void waits.push(ms));
  const options = { fetch: market.fetch, pause, random: () => 0.5, ...own };
  const { tasks } = new Marketplace({ baseUrl: 'https://market.example/', keys: { buyer: 'key' }, ...options });
  return { waits, invite: () => tasks.invite('task_1', ['agent_1']) };
}

it(`${RUNS} calls over a network with random faults are one action each, of the same bytes`, async () => {
  const chance = new Random(SEED);
  let retried = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const market = new FaultyMarket(Array.from({ length: chance.between(0, 3) }, () => chance.pick(FAULTS)));
    const { invite, waits } = client(market, { retries: 3, random: () => chance.next() });
    await invite();
    retried += waits.length;
    if (market.done.size !== 1 || market.sent.size !== 1 || [...market.sent.values()][0]?.size !== 1) {
      throw new Error(`Run ${run}: ${market.done.size} actions, ${market.sent.size} keys`);
    }
  }
  expect(retried).toBeGreaterThan(RUNS);
});

it.each<Fault>(['before', 'inside', 'after', 502, 503, 504, 429])(
  'after %j it is tried again, twice',
  async (fault) => {
    const market = new FaultyMarket([fault, fault]);
    await expect(client(market).invite()).resolves.toEqual({ task_id: 'task_1', agents: [] });
    expect(market.attempts).toBe(3);
  },
);

it('nobody waits less than Retry-After says, and the jitter is below twice the one before', async () => {
  const limited = client(new FaultyMarket([429, 503]));
  await limited.invite();
  expect(limited.waits).toEqual([2000, 2000]);
  const broken = client(new FaultyMarket(['before', 'after']));
  await broken.invite();
  expect(broken.waits).toEqual([250, 500]);
});

it('an answer is not asked for again because the caller cannot take what it is told of it', async () => {
  const market = new FaultyMarket();
  const onResponse = (): never => {
    throw new Error('The log is full');
  };
  await expect(client(market, { onResponse }).invite()).rejects.toThrow('The log is full');
  expect(market.attempts).toBe(1);
});

it('who gets no answer is told the key with which the call is safe to repeat', async () => {
  const market = new FaultyMarket(['after', 'after', 'after']);
  const error: unknown = await client(market)
    .invite()
    .catch((fault: unknown) => fault);
  expect(error).toBeInstanceOf(MarketUnreachable);
  expect([...market.done]).toEqual([(error as MarketUnreachable).idempotencyKey]);
});

it.each([
  [400, 'invalid_body'],
  [403, 'funding_cap_exceeded'],
  [404, 'not_found'],
  [409, 'state_conflict'],
  [409, 'idempotency_in_progress'],
  [500, 'internal_error'],
])('%d %s is an answer: it is not sent again', async (status, code) => {
  let attempts = 0;
  const fetch: Fetch = () => {
    attempts += 1;
    const headers = { 'X-Request-Id': 'req_1', 'Service-Version': '2026-11-20' };
    return Promise.resolve(refusal(status, code, headers));
  };
  const error: unknown = await client(new FaultyMarket(), { fetch })
    .invite()
    .catch((fault: unknown) => fault);
  expect(error).toBeInstanceOf(MarketError);
  expect(error).toMatchObject({ status, code, suggestion: 'Wait.', requestId: 'req_1', serviceVersion: '2026-11-20' });
  expect(attempts).toBe(1);
});

it('a service that wants to be left alone for longer than a minute gets its wish', async () => {
  const fetch: Fetch = () => Promise.resolve(refusal(429, 'rate_limited', { 'Retry-After': '3600' }));
  const { invite, waits } = client(new FaultyMarket(), { fetch });
  await expect(invite()).rejects.toMatchObject({ status: 429, retryAfterSeconds: 3600 });
  expect(waits).toEqual([]);
});

it('a gateway that answers in a form of its own is told by its status', async () => {
  const fetch: Fetch = () => Promise.resolve(new Response('<html>', { status: 413 }));
  await expect(client(new FaultyMarket(), { fetch }).invite()).rejects.toMatchObject({ status: 413, code: 'http_413' });
});

it('a call that needs a key which is not there says which, and sends nothing', async () => {
  const market = new FaultyMarket();
  const { tasks } = new Marketplace({ baseUrl: 'https://market.example', keys: { buyer: 'key' }, fetch: market.fetch });
  await expect(tasks.get('task_1')).rejects.toThrow('scope read');
  expect(market.attempts).toBe(0);
});

it('a call whose signal is aborted ends, and is not tried again', async () => {
  const market = new FaultyMarket(['before', 'before']);
  const own = new AbortController();
  const pause = (_ms: number, signal?: AbortSignal): Promise<void> => {
    own.abort(new Error('enough'));
    signal?.throwIfAborted();
    return Promise.resolve();
  };
  const { tasks } = new Marketplace({ baseUrl: 'https://m.example', keys: { buyer: 'k' }, fetch: market.fetch, pause });
  await expect(tasks.invite('task_1', [], { signal: own.signal })).rejects.toThrow('enough');
  expect(market.attempts).toBe(1);
});
