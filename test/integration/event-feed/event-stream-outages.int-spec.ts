import { newId } from '#libs/kernel';
import { EventStreams } from '../../../src/modules/event-feed/stream/event-streams.js';
import type { AnyRecordedEvent } from '../../../src/modules/events/catalogue/event.js';
import { recordEvents } from '../../../src/modules/events/log/record-events.sql.js';
import { EventLogSweeper } from '../../../src/modules/events/retention/event-log.sweeper.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import { createMigratedDatabase } from '../../support/database.js';
import { EventStreamReader } from '../../support/event-stream-reader.js';
import { eventually } from '../../support/eventually.js';
import { ListeningService } from '../../support/listening-service.js';
import { lockedTable } from '../../support/locked-table.js';
import { TcpProxy } from '../../support/resilience/tcp-proxy.js';

/** A statement that is not answered is given up after 12 s. */
const SILENT_MS = 20_000;
const HOUR_MS = 3_600_000;

let proxy: TcpProxy;
let service: ListeningService;
let accountId: string;
let key: string;

beforeAll(async () => {
  const { url } = await createMigratedDatabase();
  proxy = await TcpProxy.start(Number(new URL(url).port));
  const proxied = new URL(url);
  proxied.port = String(proxy.port);
  // The specs' own connection goes past the proxy.
  service = await ListeningService.listen({ databaseUrl: url, environment: { databaseUrl: proxied.href } });
  const caller = await service.caller(null);
  await service.logged();
  [accountId, key] = [caller.accountId, caller.keys.read];
});
afterAll(async () => {
  proxy?.pass();
  await service?.close();
  await proxy?.stop();
});

const AT = new Date('2026-11-20T12:00:00.000Z');
const record = (count: number): Promise<string[]> =>
  new Transactions(service.dataSource).run((manager) =>
    recordEvents(
      manager,
      Array.from({ length: count }, () => ({
        type: 'agent.updated',
        at: AT,
        subject: { kind: 'agent', id: newId('agent', AT.getTime()) },
        audience: [accountId],
        data: { updated_at: AT.toISOString() },
      })) satisfies AnyRecordedEvent[],
    ),
  );

it.each([
  ['refuses connections', () => proxy.refuse()],
  ['is silent', () => proxy.hang()],
] as const)(
  'a stream outlives a database that %s, and tells in order what has happened meanwhile',
  async (_how, takeAway) => {
    const stream = await EventStreamReader.open(service.url, { key });
    expect(stream.status).toBe(200);
    await record(1);
    await eventually(() => stream.frames.length === 1);
    takeAway();
    await record(700);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect([stream.frames.length, stream.end]).toEqual([1, null]);
    proxy.pass();
    await eventually(() => stream.frames.length === 701, SILENT_MS + 10_000);
    const order = stream.frames.map(({ data }) => data.sequence);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(new Set(stream.ids).size).toBe(701);
    expect(stream.end).toBeNull();
    stream.close();
  },
  90_000,
);

it('whoever was away for three days goes on at the last event, in order, and misses nothing', async () => {
  const before = await EventStreamReader.open(service.url, { key });
  const [first = ''] = await record(1);
  await eventually(() => before.ids.at(-1) === first);
  before.close();
  const missed: string[] = [];
  for (let hours = 0; hours < 72; hours += 6) {
    missed.push(...(await record(20)));
    await service.logged();
    // The position in the log is its time, in microseconds.
    await service.rows('UPDATE event_head SET last = last + 6 * 3600 * 1000000::bigint');
    service.clock.aheadMs += 6 * HOUR_MS;
    await service.get(EventLogSweeper).sweep();
  }
  const back = await EventStreamReader.open(service.url, { key, lastEventId: first });
  await eventually(() => back.frames.length >= missed.length);
  const [now = ''] = await record(1);
  await eventually(() => back.ids.at(-1) === now);
  expect(back.ids).toEqual([...missed, now]);
  const order = back.frames.map(({ data }) => data.sequence);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(order.at(-2)! - order[0]!).toBeGreaterThan(66 * HOUR_MS * 1_000);
  back.close();
}, 60_000);

it('while the database is away a new stream is refused as any read', async () => {
  const warm = await EventStreamReader.open(service.url, { key });
  expect(warm.status).toBe(200);
  warm.close();
  proxy.refuse();
  const stream = await EventStreamReader.open(service.url, { key });
  expect([stream.status, stream.response.headers['content-type']]).toEqual([503, 'application/json']);
  expect((await stream.refusal()).error.code).toBe('service_unavailable');
  proxy.pass();
  await eventually(async () => {
    const again = await EventStreamReader.open(service.url, { key });
    again.close();
    return again.status === 200;
  });
});

it('a service that stops ends its streams as whole answers, refuses those that have not begun, and begins no other', async () => {
  const [id = ''] = await record(1);
  await service.logged();
  const stream = await EventStreamReader.open(service.url, { key });
  // Both wait for their place in the log when the service stops.
  const opening = await lockedTable(service.dataSource, 'events', async () => {
    const early = ['GET', 'HEAD'].map((method) =>
      EventStreamReader.open(service.url, { key, method, lastEventId: id }),
    );
    await eventually(async () => /^event_streams_open 3$/m.test(await service.get(Metrics).text()));
    service.get(EventStreams).endAll();
    return early;
  });
  await eventually(() => stream.end !== null, 2_000);
  expect(stream.end).toBe('whole');
  const late = await EventStreamReader.open(service.url, { key });
  const [get, head] = await Promise.all(opening);
  for (const { status, response } of [get!, head!, late]) {
    const { 'content-type': type, 'retry-after': retry } = response.headers;
    expect([status, type, retry]).toEqual([503, 'application/json', '2']);
  }
  for (const refused of [get!, late]) expect((await refused.refusal()).error.code).toBe('service_unavailable');
});
