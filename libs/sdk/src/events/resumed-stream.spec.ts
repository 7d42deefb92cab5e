import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MarketError } from '../http/market-error.js';
import type { Fetch } from '../http/retrying-fetch.js';
import { Marketplace, type MarketplaceOptions } from '../marketplace.js';
import { isEvent, type MarketEvent } from './resumed-stream.js';

const event = (sequence: number, type = 'node.funded') =>
  ({
    id: `evt_${sequence}`,
    sequence,
    type,
    subject: { kind: 'node', id: 'node_1' },
    data: {},
  }) as unknown as MarketEvent;
const frame = (one: MarketEvent): string => `id: ${one.id}\nevent: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`;

/** A service whose stream gives these texts, one a connection, and then stays away. `open` keeps the last one open. */
function market(connections: (string | Response)[], listed: MarketEvent[] = [], own: Partial<MarketplaceOptions> = {}) {
  const asked: [string, string | undefined][] = [];
  const fetch: Fetch = async (url, { headers, signal }) => {
    const { pathname, search } = new URL(url);
    asked.push([`${pathname}${search}`, (headers as Record<string, string>)['Last-Event-ID']]);
    if (pathname === '/v1/events') return Response.json({ data: listed, next_page: null });
    const next = connections.shift();
    if (next instanceof Response) return next;
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`retry: 1\n\n: comment\n\n${next ?? ''}`));
        if (next !== undefined) return controller.close();
        signal?.addEventListener('abort', () => controller.error(signal.reason));
      },
    });
    return new Response(body);
  };
  const { events } = new Marketplace({ baseUrl: 'https://m.example', keys: { read: 'key' }, fetch, ...own });
  return { asked, events };
}

async function told(stream: AsyncIterable<MarketEvent>, count: number): Promise<number[]> {
  const seen: number[] = [];
  for await (const { sequence } of stream) if (seen.push(sequence) === count) break;
  return seen;
}

it('comes back behind the last event that was dealt with', async () => {
  const { events, asked } = market([frame(event(1)) + frame(event(2)), frame(event(3)), frame(event(4))]);
  expect(await told(events.stream({ types: ['node.funded', 'task.opened'], after: 'evt_0' }), 4)).toEqual([1, 2, 3, 4]);
  expect(asked.map(([, last]) => last)).toEqual(['evt_0', 'evt_2', 'evt_3']);
  expect(asked[0]?.[0]).toBe('/v1/events/stream?types=node.funded%2Ctask.opened');
});

it('an event in two pieces is one', async () => {
  const text = frame(event(1));
  const { events } = market([text.slice(0, 20), text]);
  expect(await told(events.stream(), 1)).toEqual([1]);
});

it('begins with what has happened, and tells nothing twice that happens meanwhile', async () => {
  const { events, asked } = market([frame(event(2)) + frame(event(3))], [event(1), event(2)]);
  expect(await told(events.stream({ past: true, task_id: 'task_1' }), 3)).toEqual([1, 2, 3]);
  expect(asked.map(([path]) => path)).toEqual(['/v1/events/stream?task_id=task_1', '/v1/events?task_id=task_1']);
});

it('tells nothing twice of several events that happen while the list is read', async () => {
  const { events } = market(
    [[2, 3, 4].map((sequence) => frame(event(sequence))).join('')],
    [1, 2, 3].map((one) => event(one)),
  );
  expect(await told(events.stream({ past: true }), 4)).toEqual([1, 2, 3, 4]);
});

it('once gives the first of its type, also one that has happened', async () => {
  const { events } = market([''], [event(7)]);
  await expect(events.once('node.funded')).resolves.toMatchObject({ sequence: 7 });
});

it('types that are not known here come through', async () => {
  const { events } = market([frame(event(1, 'moon.risen'))]);
  for await (const one of events.stream()) {
    expect(one.type).toBe('moon.risen');
    expect(isEvent(one, 'node.funded')).toBe(false);
    break;
  }
});

it('a refusal ends it, and a service that is away does not', async () => {
  const gone = Response.json({ error: { code: 'invalid_cursor', reason: 'Too old.' } }, { status: 400 });
  const away = new Response('', { status: 503 });
  const { events } = market([frame(event(1)), away, frame(event(2)), gone]);
  const seen: number[] = [];
  const reading = (async () => {
    for await (const { sequence } of events.stream()) seen.push(sequence);
  })();
  await expect(reading).rejects.toThrow(MarketError);
  expect(seen).toEqual([1, 2]);
}, 20_000);

it('a service that is asked too often is left alone for as long as it says', async () => {
  const { events } = market([
    frame(event(1)),
    new Response('', { status: 429, headers: { 'Retry-After': '1' } }),
    frame(event(2)),
  ]);
  const beganAt = performance.now();
  expect(await told(events.stream(), 2)).toEqual([1, 2]);
  expect(performance.now() - beganAt).toBeGreaterThan(990);
});

it.each<[string, Partial<MarketplaceOptions>]>([
  ['no access token can be had', { accessToken: () => Promise.reject(new Error('scope read: signed out')) }],
  ['there is no key', { keys: {} }],
])('ends where %s', async (_what, own) => {
  const { events, asked } = market([], [], own);
  const signal = AbortSignal.timeout(500);
  await expect(told(events.stream({ signal }), 1)).rejects.toThrow('scope read');
  expect(asked).toEqual([]);
});

it('ends with its signal', async () => {
  const own = new AbortController();
  const { events } = market([frame(event(1))]);
  const seen: number[] = [];
  for await (const { sequence } of events.stream({ signal: own.signal })) {
    seen.push(sequence);
    own.abort();
  }
  expect(seen).toEqual([1]);
});

it('that is ended before it is open keeps no timer, for which a program would stay', async () => {
  const own = new AbortController();
  const fetch: Fetch = (_url, { signal }) =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
      own.abort();
    });
  const timersOf = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timersOf();
  await told(market([], [], { fetch }).events.stream({ signal: own.signal }), 1);
  expect(timersOf()).toBe(before);
});

it('ends with its signal also where garbage was collected meanwhile, and closes its connection', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let open = 0;
  const server = createServer((request, response) => {
    open += 1;
    request.socket.once('close', () => (open -= 1));
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(frame(event(1)));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const own = new AbortController();
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { events } = new Marketplace({ baseUrl, keys: { read: 'key' } });
  const seen: number[] = [];
  const reading = (async () => {
    for await (const { sequence } of events.stream({ signal: own.signal })) seen.push(sequence);
  })();
  while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  for (let round = 0; round < 5; round += 1) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  own.abort();
  await reading;
  while (open > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  server.close();
  expect(seen).toEqual([1]);
});
