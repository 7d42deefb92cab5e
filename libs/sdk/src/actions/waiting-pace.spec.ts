import type { Fetch } from '../http/retrying-fetch.js';
import { Marketplace } from '../marketplace.js';

/** Reads of one key a minute (docs/limits.md). */
const LIMIT = 120;
const MINUTES = 4;

beforeEach(() => {
  jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** A service that counts the reads of one key, as the limits do, for all the programs that have the key. */
function market({ stream }: { stream: () => Response }) {
  const reads: number[] = [];
  let refused = 0;
  const fetch: Fetch = (url) => {
    const minute = Math.floor(Date.now() / 60_000);
    const used = (reads[minute] ?? 0) + 1;
    reads[minute] = used;
    if (used > LIMIT) {
      refused += 1;
      const retryAfter = String(60 - (Math.floor(Date.now() / 1000) % 60));
      const error = { code: 'rate_limited', reason: 'Too many.' };
      return Promise.resolve(Response.json({ error }, { status: 429, headers: { 'Retry-After': retryAfter } }));
    }
    if (url.includes('/stream')) return Promise.resolve(stream());
    const record = { action_id: 'act_1', kind: 'fund_task', status: 'opened' };
    const headers = { 'Poll-Interval': '5', 'X-Limit-Remaining': String(LIMIT - used) };
    return Promise.resolve(Response.json(record, { headers }));
  };
  const program = () => new Marketplace({ baseUrl: 'https://m.example', keys: { read: 'key' }, fetch });
  return { program, reads, refused: () => refused };
}

const noStream = (): Response => Response.json({ error: { code: 'not_found', reason: 'None.' } }, { status: 404 });
const fullStream = (): Response =>
  Response.json({ error: { code: 'rate_limited', reason: 'Three are open.' } }, { status: 429 });
/** A stream that something on the way ends as soon as it is open. */
const cutStream = (): Response => new Response(': tasktree events\nretry: 2000\nid: evt_1\n\n');

async function pass(minutes: number): Promise<void> {
  for (let half = 0; half < minutes * 120; half += 1) {
    await jest.advanceTimersByTimeAsync(500);
    // What a read needs until its body was read.
    for (let turn = 0; turn < 3; turn += 1) await new Promise((done) => setImmediate(done));
  }
}

describe.each([
  ['there is no stream', noStream],
  ['others have all streams', fullStream],
  ['the stream is cut again and again', cutStream],
])('where %s', (_, stream) => {
  it.each([1, 8, 25])('%i waits of one program stay below the limit of their key', async (count) => {
    const { program, reads, refused } = market({ stream });
    const { actions } = program();
    const end = new AbortController();
    const waits = Array.from({ length: count }, (_one, at) => actions.wait(`act_${at}`, { signal: end.signal }));
    const ends = Promise.allSettled(waits);
    await pass(MINUTES);
    end.abort();
    await ends;
    expect([refused(), reads.filter((read) => read > LIMIT)]).toEqual([0, []]);
    // Each goes on looking.
    expect(reads.slice(1, MINUTES).every((read) => read >= 2)).toBe(true);
  });
});

it.each([
  ['there is no stream', noStream],
  ['others have all streams', fullStream],
])('where %s, waits of eight programs with one key stay below its limit, too', async (_, stream) => {
  const { program, refused } = market({ stream });
  const end = new AbortController();
  const waits = Array.from({ length: 8 }, () => program().actions.wait('act_1', { signal: end.signal }));
  const ends = Promise.allSettled(waits);
  await pass(MINUTES);
  end.abort();
  await ends;
  expect(refused()).toBe(0);
});
