import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '#libs/kernel';
import { ApiKeysService } from '../../../src/modules/credentials/api-keys/api-keys.service.js';
import { EventStreamSettings } from '../../../src/modules/event-feed/stream/event-stream.settings.js';
import type { AnyRecordedEvent } from '../../../src/modules/events/catalogue/event.js';
import { EVENTS_BEHIND } from '../../../src/modules/events/log/event-tail.sql.js';
import { recordEvents } from '../../../src/modules/events/log/record-events.sql.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import { EventStreamReader, type StreamRequest } from '../../support/event-stream-reader.js';
import { eventually } from '../../support/eventually.js';
import { ListeningService } from '../../support/listening-service.js';
import { callApi } from '../../support/market.js';
import { AccessTokenRows } from '../../support/oauth/access-token-rows.js';
import { sentStatements } from '../../support/sent-statements.js';
import { withoutNotices } from '../../support/without-notices.js';

const AT = new Date('2026-11-20T12:00:00.000Z');
/** What revoking a credential may take to reach a stream. */
const REVOKED_MS = 5_000;
/** An event is less than 4 KB. */
const LARGE = 'x'.repeat(3_500);

interface Reader {
  accountId: string;
  key: string;
}

let service: ListeningService;
/** Times that a test may change for the streams that it opens; the service has the same object. */
let settings: { -readonly [Name in keyof EventStreamSettings]: EventStreamSettings[Name] };
const opened: EventStreamReader[] = [];

beforeAll(async () => {
  service = await ListeningService.listen();
  settings = service.get(EventStreamSettings);
});
afterAll(() => service?.close());
afterEach(async () => {
  Object.assign(settings, new EventStreamSettings());
  for (const stream of opened.splice(0)) stream.close();
  await eventually(async () => (await metric('event_streams_open')) === 0);
});

async function reader(): Promise<Reader> {
  const { accountId, keys } = await service.caller(null);
  await service.logged();
  return { accountId, key: keys.read };
}

async function open(who: Pick<Reader, 'key'>, request: Omit<StreamRequest, 'key'> = {}): Promise<EventStreamReader> {
  const stream = await EventStreamReader.open(service.url, { key: who.key, ...request });
  opened.push(stream);
  return stream;
}

async function live(who: Pick<Reader, 'key'>, request: Omit<StreamRequest, 'key'> = {}): Promise<EventStreamReader> {
  const stream = await open(who, request);
  expect(stream.status).toBe(200);
  return stream;
}

const event = (audience: AnyRecordedEvent['audience'], own: Partial<AnyRecordedEvent> = {}): AnyRecordedEvent =>
  ({
    type: 'agent.updated',
    at: AT,
    subject: { kind: 'agent', id: newId('agent', AT.getTime()) },
    audience,
    data: { updated_at: AT.toISOString() },
    ...own,
  }) as AnyRecordedEvent;

/** Records events past the service, so also while it cannot reach its database. */
const record = (...events: AnyRecordedEvent[]): Promise<string[]> =>
  new Transactions(service.dataSource).run((manager) => recordEvents(manager, events));

async function listed({ key }: Reader, query = 'limit=100'): Promise<any[]> {
  const events: any[] = [];
  for (let cursor = ''; ;) {
    const { status, body } = await callApi(`${service.url}/v1/events?${query}${cursor}`, { key });
    expect(status).toBe(200);
    events.push(...body.data);
    if (body.next_page === null) return events;
    cursor = `&cursor=${body.next_page}`;
  }
}

const listedIds = async (who: Reader, query?: string): Promise<string[]> =>
  (await listed(who, query)).map(({ id }) => id);

/** Ids of the events behind one, once there are as many as expected. */
async function idsBehind(who: Reader, id: string, expected = 0): Promise<string[]> {
  let ids: string[] = [];
  await eventually(async () => {
    ids = await listedIds(who, `limit=100&after=${id}`);
    return ids.length >= expected;
  });
  return ids;
}

/** The newest event for the reader, recorded now. */
async function recorded(who: Reader): Promise<string> {
  const before = (await listedIds(who)).length;
  await record(event([who.accountId]));
  await eventually(async () => (await listedIds(who)).length > before);
  return (await listedIds(who)).at(-1)!;
}

async function metric(name: string): Promise<number> {
  const line = (await service.get(Metrics).text()).split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.split(' ').at(-1));
}

/** A connection that reads as the test tells it to. */
function rawStream({ key }: Reader, extra = ''): Socket {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(`GET /v1/events/stream HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n${extra}\r\n`);
  socket.on('error', () => undefined);
  return socket;
}

describe('a stream', () => {
  it('begins at once, in an answer that nobody stores, packs or collects', async () => {
    const stream = await live(await reader(), { headers: { 'Accept-Encoding': 'gzip, br' } });
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-limit-remaining': expect.stringMatching(/^\d+$/),
      'service-version': expect.any(String),
    });
    expect(stream.response.headers['content-encoding']).toBeUndefined();
    expect(stream.response.headers.etag).toBeUndefined();
    await eventually(() => stream.comments > 0 && stream.retryMs !== null, 2_000);
    expect(stream.retryMs).toBeGreaterThanOrEqual(1_000);
    expect(stream.frames).toEqual([]);
  });

  it('tells each account what is for it and for everybody, as the list shows it, and nothing of before', async () => {
    const [a, b, c] = [await reader(), await reader(), await reader()];
    await recorded(a);
    const before = await listedIds(a);
    const [ofA, ofB, ofC] = [await live(a), await live(b), await live(c)];
    await record(event([a.accountId]), event([a.accountId, b.accountId]), event('public'), event([b.accountId]));
    await eventually(() => ofA.frames.length === 3 && ofB.frames.length === 3 && ofC.frames.length === 1);
    for (const [who, stream] of [
      [a, ofA],
      [b, ofB],
      [c, ofC],
    ] as const) {
      const events = (await listed(who)).filter(({ id }) => !before.includes(id));
      expect(stream.frames.map(({ data }) => data)).toEqual(events.slice(-stream.frames.length));
      expect(stream.frames.map(({ id, event: type }) => [id, type])).toEqual(
        stream.frames.map(({ data }) => [data.id, data.type]),
      );
    }
    expect(ofC.frames[0]?.id).toBe(ofA.frames[2]?.id);
  });

  it('keeps the types and the task that are asked for, of before and of now', async () => {
    const who = await reader();
    const task = (taskId: string, type: 'task.updated' | 'task.opened') =>
      event([who.accountId], {
        type,
        subject: { kind: 'task', id: taskId, taskId },
        data: { status: { to: 'open' }, budget: { amount: '1.00', currency: 'USDC' }, deadline: AT.toISOString() },
      } as Partial<AnyRecordedEvent>);
    const both = () =>
      record(task('task_a', 'task.updated'), task('task_b', 'task.updated'), task('task_a', 'task.opened'));
    const first = await recorded(who);
    await both();
    await idsBehind(who, first, 3);
    const streams = await Promise.all(
      ['types=task.updated', 'task_id=task_a', 'task_id=task_a&types=task.opened'].map(async (query) => ({
        query,
        stream: await live(who, { query: `?${query}&after=${first}` }),
      })),
    );
    await both();
    for (const { query, stream } of streams) {
      await idsBehind(who, first, 6);
      const wanted = await listedIds(who, `${query}&after=${first}`);
      expect(wanted.length).toBeGreaterThan(1);
      await eventually(() => stream.frames.length >= wanted.length);
      expect(stream.ids).toEqual(wanted);
    }
  });

  it('says once in a while that it is there, and ends as a whole answer when its time is over', async () => {
    Object.assign(settings, { heartbeatMs: 100, lifetimeMs: 1_500 });
    const stream = await live(await reader());
    await eventually(() => stream.comments >= 5);
    expect(stream.end).toBeNull();
    await eventually(() => stream.end !== null);
    expect(stream.end).toBe('whole');
  });

  it('that had no event yet goes on where it began', async () => {
    const who = await reader();
    const stream = await live(who, { query: '?types=agent.updated' });
    await eventually(() => stream.lastEventId !== '');
    stream.close();
    const missed = await recorded(who);
    const next = await live(who, { query: '?types=agent.updated', lastEventId: stream.lastEventId });
    await eventually(() => next.frames.length === 1);
    expect(next.ids).toEqual([missed]);
  });

  it('is only a head to who asks for no more', async () => {
    const stream = await open(await reader(), { method: 'HEAD' });
    expect([stream.status, stream.response.headers['content-type']]).toEqual([200, 'text/event-stream']);
    await eventually(() => stream.end !== null);
  });
});

describe('a reader that connects anew', () => {
  it('at every event misses nothing and gets nothing twice, while events go on', async () => {
    const [who, other] = [await reader(), await reader()];
    const first = await recorded(who);
    let last = first;
    const got: string[] = [];
    let isWriting = true;
    const writing = (async () => {
      for (let n = 0; n < 150; n += 1) {
        await record(event(n % 3 === 0 ? [other.accountId] : [who.accountId]), event('public'));
        await pause(n % 10 === 0 ? 30 : 3);
      }
      isWriting = false;
    })();
    let connections = 0;
    const isBehind = async () => isWriting || got.length < (await idsBehind(who, first)).length;
    while (await isBehind()) {
      connections += 1;
      const stream = await live(who, { lastEventId: last });
      await eventually(() => stream.frames.length > 0);
      stream.close();
      // What has arrived when the connection is cut has arrived.
      got.push(...stream.ids);
      last = stream.lastEventId;
    }
    await writing;
    expect(connections).toBeGreaterThan(5);
    expect(got).toEqual(await idsBehind(who, first, 250));
  }, 60_000);

  it('catches up with far more than a page and goes on without a gap, while many do the same', async () => {
    const who = await reader();
    const begin = await recorded(who);
    const tokens = new AccessTokenRows((text, values) => service.rows(text, values), service.environment.baseUrl);
    for (let n = 0; n < 6; n += 1) await record(...Array.from({ length: 100 }, () => event([who.accountId])));
    await idsBehind(who, begin, 600);
    const writing = (async () => {
      for (let n = 0; n < 100; n += 1) {
        await record(event([who.accountId]), event([who.accountId]));
        await pause(5);
      }
    })();
    const streams = await Promise.all(
      Array.from({ length: 24 }, async (_, n) => {
        await pause(n * 20);
        const { token } = await tokens.issue(who.accountId, { scopes: ['read'] });
        return live({ key: '' }, { query: `?after=${begin}`, headers: bearer(token) });
      }),
    );
    await writing;
    const all = await idsBehind(who, begin, 800);
    for (const stream of streams) {
      await eventually(() => stream.frames.length >= 800);
      expect(stream.ids).toEqual(all);
    }
  }, 60_000);
});

const bearer = (token: string) => ({ 'X-Api-Key': [] as string[], Authorization: `Bearer ${token}` });

describe('before its first byte', () => {
  it.each([
    ['an unknown `after`', '?after=evt_00000000000000000000000000', null, 'invalid_cursor'],
    ['an `after` that is none', '?after=nonsense', null, 'invalid_cursor'],
    ['an `after` that holds what no id does', '?after=evt_%00', null, 'invalid_cursor'],
    ['an unknown Last-Event-ID', '', 'evt_00000000000000000000000000', 'invalid_cursor'],
    ['two of them', '', 'evt_1, evt_2', 'invalid_cursor'],
    ['a long one of other letters', '', 'é'.repeat(3_000), 'invalid_cursor'],
    ['an empty `after`', '?after=', null, 'invalid_parameter'],
    ['an unknown type', '?types=quote.eaten', null, 'invalid_parameter'],
    ['what is no task', '?task_id=%20', null, 'invalid_parameter'],
    ['a size of pages', '?limit=3', null, 'unknown_parameter'],
    ['a cursor', '?cursor=a', null, 'unknown_parameter'],
  ])('%s is refused in the one error shape', async (_what, query, lastEventId, code) => {
    const headers = lastEventId === null ? {} : { 'Last-Event-ID': Buffer.from(lastEventId).toString('latin1') };
    const stream = await open(await reader(), { query, headers });
    expect([stream.status, stream.response.headers['content-type']]).toEqual([400, 'application/json']);
    expect((await stream.refusal()).error.code).toBe(code);
  });

  it('Last-Event-ID wins over `after`, and an empty one is none', async () => {
    const who = await reader();
    const [first, second] = [await recorded(who), await recorded(who)];
    const stream = await live(who, { query: '?after=evt_00000000000000000000000000', lastEventId: first });
    await eventually(() => stream.frames.length > 0);
    expect(stream.ids).toEqual([second]);
    const empty = await live(who, { query: `?after=${first}`, lastEventId: '' });
    await eventually(() => empty.frames.length > 0);
    expect(empty.ids).toEqual([second]);
  });

  it("another's event is no place to begin, nor is another's or another selection's beginning", async () => {
    const [who, other] = [await reader(), await reader()];
    const foreign = await live(other);
    const narrow = await live(who, { query: '?types=agent.updated' });
    await eventually(() => foreign.lastEventId !== '' && narrow.lastEventId !== '');
    for (const lastEventId of [await recorded(other), foreign.lastEventId, narrow.lastEventId]) {
      const stream = await open(who, { lastEventId });
      expect([stream.status, (await stream.refusal()).error.code]).toEqual([400, 'invalid_cursor']);
    }
  });

  it('who may not read is told so', async () => {
    const { keys } = await service.caller(null);
    const none = await open({ key: '' }, { headers: { 'X-Api-Key': [] } });
    expect([none.status, (await none.refusal()).error.code]).toEqual([401, 'unauthenticated']);
    const other = await open({ key: keys.worker });
    expect([other.status, (await other.refusal()).error.code]).toEqual([403, 'insufficient_scope']);
  });

  it('a body is refused that is announced, because a stream would be cut when it does not come', async () => {
    for (const extra of ['Content-Length: 10\r\n', 'Transfer-Encoding: chunked\r\n']) {
      const socket = rawStream(await reader(), extra);
      let text = '';
      socket.setEncoding('utf8').on('data', (part: string) => (text += part));
      await eventually(() => text.includes('}}'));
      expect(text).toMatch(/^HTTP\/1\.1 400 /);
      expect(text).toContain('"code":"invalid_request"');
      socket.destroy();
    }
  });

  it('the fourth of a credential is refused until one is closed; another credential has its own', async () => {
    const { accountId, keys } = await service.caller(null);
    const own = { key: keys.read };
    const streams = [await live(own), await live(own), await live(own)];
    const fourth = await open(own);
    expect([fourth.status, Number(fourth.response.headers['retry-after'])]).toEqual([429, 10]);
    const { error } = await fourth.refusal();
    expect([error.code, error.suggestion]).toEqual(['rate_limited', expect.stringContaining('Close one')]);
    const further = await service.get(ApiKeysService).create(accountId, { scope: 'read', name: 'further' });
    await live({ key: further.secret });
    // A refused one takes no place.
    for (let n = 0; n < 4; n += 1)
      await (await open(own, { query: '?after=nonsense' })).refusal().catch(() => undefined);
    streams[0]?.close();
    await eventually(async () => {
      const again = await open(own);
      return again.status === 200;
    });
    expect(await metric('event_streams_open')).toBe(4);
  });
});

describe('a credential that ends', () => {
  it('ends its streams, and no other: a key that is revoked', async () => {
    const [who, other] = [await reader(), await reader()];
    const [stream, beside] = [await live(who), await live(other)];
    await service.get(ApiKeysService).revoke(await keyIdOf(who));
    await eventually(() => stream.end !== null, REVOKED_MS);
    await record(event('public'));
    await eventually(() => beside.frames.length === 1);
    expect([stream.end, stream.frames]).toEqual(['whole', []]);
    expect((await open(who)).status).toBe(401);
  });

  it('ends its streams in five seconds also when the change is not heard', async () => {
    const who = await reader();
    const stream = await live(who);
    await withoutNotices(service.dataSource, async () => {
      await service.rows('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [await keyIdOf(who)]);
      await eventually(() => stream.end !== null, REVOKED_MS);
    });
    await record(event([who.accountId]));
    expect(stream.frames).toEqual([]);
  });

  it('ends its streams: an account that is suspended', async () => {
    const who = await reader();
    const stream = await live(who);
    await service.rows(`UPDATE accounts SET status = 'suspended' WHERE id = $1`, [who.accountId]);
    await eventually(() => stream.end !== null, REVOKED_MS);
  });

  it('ends its streams at its end: a token', async () => {
    const { accountId } = await reader();
    const rows = new AccessTokenRows((text, values) => service.rows(text, values), service.environment.baseUrl);
    const short = await rows.issue(accountId, { scopes: ['read'] });
    const lasting = await rows.token(short.grant);
    await service.rows(
      `UPDATE oauth_records SET expires_at = now() + interval '2 seconds' WHERE kind = 'AccessToken' AND
      id_hash = sha256(convert_to($1, 'UTF8'))`,
      [short.token],
    );
    const [ending, staying] = [
      await live({ key: '' }, { headers: bearer(short.token) }),
      await live({ key: '' }, { headers: bearer(lasting) }),
    ];
    const since = Date.now();
    await eventually(() => ending.end !== null, REVOKED_MS);
    expect(Date.now() - since).toBeLessThan(3_500);
    await pause(4_500);
    expect(staying.end).toBeNull();
    // The record of a token that is revoked by itself is gone.
    await service.rows(
      `DELETE FROM oauth_records WHERE kind = 'AccessToken' AND
      id_hash = sha256(convert_to($1, 'UTF8'))`,
      [lasting],
    );
    await eventually(() => staying.end !== null, REVOKED_MS);
  }, 30_000);

  it('ends its streams: a grant that is revoked', async () => {
    const { accountId } = await reader();
    const rows = new AccessTokenRows((text, values) => service.rows(text, values), service.environment.baseUrl);
    const { token, grant } = await rows.issue(accountId, { scopes: ['read'] });
    const stream = await live({ key: '' }, { headers: bearer(token) });
    await service.rows('UPDATE oauth_grants SET revoked_at = now() WHERE id = $1', [grant.id]);
    await eventually(() => stream.end !== null, REVOKED_MS);
  });
});

const keyIdOf = async ({ accountId }: Reader): Promise<string> =>
  (
    await service.rows<{ id: string }>(`SELECT id FROM api_keys WHERE account_id = $1 AND scope = 'read'`, [accountId])
  )[0]!.id;

describe('a reader that', () => {
  it('reads nothing is cut off before much waits for it, and disturbs nobody', async () => {
    const [deaf, other] = [await reader(), await reader()];
    const sockets = [rawStream(deaf), rawStream(deaf)];
    for (const socket of sockets) socket.pause();
    const beside = await live(other);
    await eventually(async () => (await metric('event_streams_open')) === 3);
    const cutBefore = await metric('streams_cut_slow_total');
    // More than the buffers of the system take in, for each of the two.
    let sent = 0;
    const memoryBefore = process.memoryUsage().arrayBuffers;
    let most = 0;
    while ((await metric('streams_cut_slow_total')) < cutBefore + 2 && sent < 20_000) {
      await record(
        ...Array.from({ length: 200 }, () =>
          event([deaf.accountId], { data: { updated_at: AT.toISOString(), changed: [LARGE] } } as never),
        ),
      );
      sent += 200;
      most = Math.max(most, process.memoryUsage().arrayBuffers - memoryBefore);
    }
    expect(await metric('streams_cut_slow_total')).toBe(cutBefore + 2);
    await eventually(async () => (await metric('event_streams_open')) === 1);
    expect(most).toBeLessThan(64 * 1024 * 1024);
    await record(event([other.accountId]));
    await eventually(() => beside.frames.length === 1, 5_000);
    for (const socket of sockets) socket.destroy();
  }, 120_000);

  it('reads nothing while it catches up holds no more than a page, and is let go at the end of its time', async () => {
    settings.lifetimeMs = 3_000;
    const who = await reader();
    const begin = await recorded(who);
    for (let n = 0; n < 15; n += 1) {
      await record(
        ...Array.from({ length: 200 }, () =>
          event([who.accountId], { data: { updated_at: AT.toISOString(), changed: [LARGE] } } as never),
        ),
      );
    }
    const socket = rawStream(who, `Last-Event-ID: ${begin}\r\n`);
    socket.pause();
    await eventually(async () => (await metric('event_streams_open')) === 1);
    await pause(1_000);
    expect(await metric('event_streams_open')).toBe(1);
    await eventually(async () => (await metric('event_streams_open')) === 0, 6_000);
    socket.destroy();
  }, 60_000);

  it('reads a byte at a time gets all of it as long as it keeps up', async () => {
    const who = await reader();
    const socket = rawStream(who);
    let text = '';
    socket.on('readable', () => undefined);
    const reading = setInterval(() => {
      const part = socket.read(1) as Buffer | null;
      if (part) text += part.toString('latin1');
    }, 1);
    await eventually(async () => (await metric('event_streams_open')) === 1);
    const id = await recorded(who);
    await eventually(() => text.includes(`id: ${id}`));
    clearInterval(reading);
    socket.destroy();
  });

  it('goes away leaves nothing behind, also before the stream has begun', async () => {
    const who = await reader();
    for (let n = 0; n < 30; n += 1) {
      const socket = rawStream(who);
      await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
      await pause(n % 6);
      socket.destroy();
      await eventually(async () => (await metric('event_streams_open')) === 0);
    }
    expect((await open(who)).status).toBe(200);
  });
});

describe('a notification', () => {
  const TAILS = `FROM pg_stat_activity WHERE application_name = 'tasktree-event-tail' AND datname = current_database()`;

  it('that is lost delays an event at most until the next look, and the connection comes back', async () => {
    const who = await reader();
    const stream = await live(who);
    const [before] = await service.rows<{ pid: number }>(`SELECT pid ${TAILS}`);
    await service.rows(`SELECT pg_terminate_backend(pid) ${TAILS}`);
    await record(event([who.accountId]));
    await eventually(() => stream.frames.length === 1, 3_000);
    await eventually(async () => {
      const [now] = await service.rows<{ pid: number }>(`SELECT pid ${TAILS} AND query LIKE 'LISTEN%'`);
      return now !== undefined && now.pid !== before?.pid;
    });
    // Heard again: far sooner than the next look.
    settings.pollMs = 60_000;
    stream.close();
    await eventually(async () => (await metric('event_streams_open')) === 0);
    const again = await live(who);
    await record(event([who.accountId]));
    await eventually(() => again.frames.length === 1, 20_000);
  });
});

it('while there are no streams, the log is not read for them', async () => {
  const reads = sentStatements(EVENTS_BEHIND.name);
  const who = await reader();
  const stream = await live(who);
  await record(event([who.accountId]));
  await eventually(() => stream.frames.length === 1);
  expect(reads()).toBeGreaterThan(0);
  stream.close();
  await eventually(async () => (await metric('event_streams_open')) === 0);
  const before = reads();
  await record(event([who.accountId]));
  await service.logged();
  await pause(2 * settings.pollMs);
  expect(reads()).toBe(before);
});
