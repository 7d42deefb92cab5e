import { connect, type Socket } from 'node:net';
import { EventStreamReader } from '../../support/event-stream-reader.js';
import { eventually } from '../../support/eventually.js';
import { type Caller, ResilienceStack } from '../../support/resilience/resilience-stack.js';
import type { ServiceProcess } from '../../support/resilience/service-process.js';

/**
 * A request has 30 s to arrive, and running requests have 25 s when the service stops
 * (docs/decisions/http.md#stopping).
 */
const SLOW_REQUEST_MS = 30_000;
/** The service checks for slow clients every 5 s. */
const CHECK_MS = 5_000;
/** Longer than any request may take, and shorter than the 75 s for which an idle connection is kept. */
const QUIET_MS = 45_000;

const HEAD = 'POST /v1/tasks/task_a/nodes/node_a/abandon-intents HTTP/1.1\r\nHost: x\r\n';
const GET = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';

let stack: ResilienceStack;
let worker: Caller;
/** The slow clients start first, because they take long, and wait while the other tests run. */
let besieged: ServiceProcess;
let slow: { headers: RawConnection[]; body: RawConnection[] };
let quiet: RawConnection;
let leaving: RawConnection[];
let left: Promise<number | null>;

beforeAll(async () => {
  stack = await ResilienceStack.start();
  worker = await stack.caller('Worker');
  const ending = await stack.service({ INDEXER_ENABLED: 'false' });
  besieged = await stack.service({ INDEXER_ENABLED: 'false' });
  const credentials = `X-Api-Key: ${worker.keys.worker}\r\nIdempotency-Key: slow\r\n`;
  const length = 'Content-Type: application/json\r\nContent-Length: 400\r\n';
  const body = `${HEAD}${credentials}${length}\r\n{"slow":`;
  const many = (service: ServiceProcess, text: string) =>
    Array.from({ length: 25 }, () => new RawConnection(service, text));
  slow = { headers: many(besieged, `${HEAD}X-Padding: `), body: many(besieged, body) };
  quiet = new RawConnection(besieged, GET);
  setTimeout(() => quiet.send(GET), QUIET_MS).unref();
  leaving = many(ending, `${HEAD}${credentials}${length}Expect: 100-continue\r\n\r\n{"slow":`);
  await eventually(() => leaving.every(({ received }) => received().startsWith('HTTP/1.1 100 ')));
  left = ending.stop('SIGTERM');
});

afterAll(() => stack?.stop());
afterEach(() => stack.database.pass());

const list = (service: ServiceProcess) => service.call('/v1/tasks', { key: worker.keys.read });

/** True when the service refuses new connections. */
function isClosed({ url }: ServiceProcess): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => resolve(false));
    socket.once('connect', () => socket.destroy());
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}

/** A connection that a client keeps open while it sends little. */
class RawConnection {
  /** Resolves, when the connection is closed, to the milliseconds that it was open. */
  readonly closed: Promise<number>;
  private readonly socket: Socket;
  private text = '';

  constructor(service: ServiceProcess, sent: string) {
    const openedAt = Date.now();
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(sent));
    this.socket = socket;
    socket.setEncoding('utf8').on('data', (text: string) => (this.text += text));
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => socket.once('close', () => resolve(Date.now() - openedAt)));
  }

  /** Everything received so far. */
  readonly received = (): string => this.text;

  send(text: string): void {
    this.socket.write(text);
  }
}

describe('at SIGTERM', () => {
  it('it says that it is not ready, still answers while it drains, ends running requests, and exits with 0', async () => {
    const service = await stack.service({ DRAIN_SECONDS: '4' });
    expect([(await list(service)).status, await service.health('ready')]).toEqual([200, 200]);
    const ended = service.stop('SIGTERM');
    await eventually(async () => (await service.health('ready')) === 503);
    expect(await service.health('live')).toBe(200);
    expect((await list(service)).status).toBe(200);
    // The service stops listening before the 6 s are over after which the read gives up.
    stack.database.hang();
    const running = list(service);
    await eventually(() => isClosed(service));
    // New connections are refused while the service waits for the running request.
    await expect(fetch(`${service.url}/openapi.json`)).rejects.toThrow('fetch failed');
    stack.database.pass();
    const { status, body } = await running;
    expect([status, body.data]).toEqual([200, []]);
    expect(await ended).toBe(0);
    expect(service.process.output).not.toMatch(/did not stop cleanly|unhandled/i);
  });

  it('it lets another process index at once', async () => {
    const [first, second] = [await stack.service(), await stack.service()];
    await eventually(async () => (await first.metric('indexer_runner')) === 1);
    expect(await second.metric('indexer_runner')).toBe(0);
    expect(await first.stop('SIGTERM')).toBe(0);
    await eventually(async () => (await second.metric('indexer_runner')) === 1, 3_000);
    await second.stop('SIGTERM');
  });

  it('connections that are idle do not hold it up', async () => {
    const service = await stack.service();
    const idle = new RawConnection(service, GET);
    await eventually(() => idle.received().startsWith('HTTP/1.1 200'));
    const startedAt = Date.now();
    expect(await service.stop('SIGTERM')).toBe(0);
    expect(Date.now() - startedAt).toBeLessThan(15_000);
    await idle.closed;
  });

  it('open streams of events do not hold it up, and end as whole answers', async () => {
    const service = await stack.service();
    const streams = await Promise.all(
      [worker.keys.read, worker.keys.read].map((key) => EventStreamReader.open(service.url, { key })),
    );
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    const startedAt = Date.now();
    expect(await service.stop('SIGTERM')).toBe(0);
    expect(Date.now() - startedAt).toBeLessThan(15_000);
    await eventually(() => streams.every(({ end }) => end === 'whole'));
  });

  it('it ends also when database and chain are away', async () => {
    const service = await stack.service();
    stack.database.refuse();
    stack.rpc.mode = 'refuse';
    await eventually(async () => (await service.health('ready')) === 503);
    expect(await service.stop('SIGTERM')).toBe(0);
    stack.rpc.mode = 'pass';
  });
});

it.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('a second signal, %s, ends it at once', async (signal, code) => {
  const service = await stack.service({ DRAIN_SECONDS: '60' });
  service.process.child.kill('SIGTERM');
  await eventually(async () => (await service.health('ready')) === 503);
  const startedAt = Date.now();
  service.process.child.kill(signal);
  expect(await service.process.ended).toBe(code);
  expect(Date.now() - startedAt).toBeLessThan(20_000);
});

describe('a client that never finishes its request', () => {
  it.each(['headers', 'body'] as const)(
    'is cut in time with slow %s, gets the one error shape, and disturbs nobody',
    async (part) => {
      expect((await list(besieged)).status).toBe(200);
      for (const { closed, received } of slow[part]) {
        const ms = await closed;
        expect(ms).toBeGreaterThan(SLOW_REQUEST_MS - 1_000);
        expect(ms).toBeLessThan(SLOW_REQUEST_MS + 2 * CHECK_MS);
        expect(received()).toMatch(/^HTTP\/1\.1 4\d\d /);
        expect(received()).toContain('Service-Version: ');
        expect(JSON.parse(received().slice(received().indexOf('\r\n\r\n')))).toEqual({
          error: expect.objectContaining({ code: 'invalid_request' }),
        });
      }
      expect((await list(besieged)).status).toBe(200);
      expect(await stack.leftovers()).toEqual({ actions: 0, records: 0, nonces: 0 });
    },
  );

  it('is told from one that only keeps its connection for later', async () => {
    await eventually(() => quiet.received().split('HTTP/1.1 200').length === 3, QUIET_MS + 15_000);
  });

  it('does not keep the service from ending', async () => {
    // The service closes them when it ends, earlier than it would cut a request that never arrives.
    for (const { closed } of leaving) expect(await closed).toBeLessThan(SLOW_REQUEST_MS - 1_000);
    expect(await left).toBe(0);
  });
});
