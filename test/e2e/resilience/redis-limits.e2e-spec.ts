import { isOnFallback, lastAway, logged } from './limit-store.js';
import { type Caller, ResilienceStack } from '../../support/resilience/resilience-stack.js';
import { eventually } from '../../support/eventually.js';
import type { ServiceProcess } from '../../support/resilience/service-process.js';
import { TcpProxy } from '../../support/resilience/tcp-proxy.js';

const { REDIS_URL } = process.env;
/** Without a Redis these tests are listed as skipped, with the reason. */
const describeWithRedis = REDIS_URL ? describe : describe.skip;
const note = REDIS_URL ? '' : ' [not run: REDIS_URL is not set]';

/** How often two processes may be started until they start without losing Redis. */
const STARTS = 5;

let stack: ResilienceStack;
let redis: TcpProxy;
let pair: ServiceProcess[];
let caller: Caller;

beforeAll(async () => {
  if (!REDIS_URL) return;
  stack = await ResilienceStack.start();
  redis = await TcpProxy.start(Number(new URL(REDIS_URL).port || 6379));
  await startPair();
});

afterAll(async () => {
  await stack?.stop();
  await redis?.stop();
});

async function startPair(): Promise<void> {
  const url = new URL(REDIS_URL!);
  url.port = String(redis.port);
  const own = { RATE_LIMIT_PRINCIPAL: '120', REDIS_URL: url.href };
  pair = await Promise.all([stack.service(own), stack.service(own)]);
}

beforeEach(async () => {
  if (REDIS_URL) caller = await stack.caller('Caller');
});

afterEach(() => redis?.pass());

async function statusesOf(calls: number): Promise<number[]> {
  const one = (n: number) => pair[n % 2]!.call('/v1/tasks', { key: caller.keys.read });
  return (await Promise.all(Array.from({ length: calls }, (_, n) => one(n)))).map(({ status }) => status);
}

const passed = (statuses: number[]) => statuses.filter((status) => status === 200).length;

/** Why the two processes could not answer, from their logs a moment later. */
async function faults(): Promise<string> {
  const lines = () => pair.flatMap(({ process }) => process.output.split('\n'));
  const failed = () => lines().filter((line) => line.includes('request failed'));
  await eventually(() => failed().length > 0);
  return failed().join('\n');
}

/** True when one of the two has ever counted without Redis. */
async function wasAway(): Promise<boolean> {
  const { read } = caller.keys;
  await Promise.all(pair.map(async (service) => logged(service, await service.call('/v1/tasks', { key: read }))));
  return pair.some((service) => lastAway(service) !== -1);
}

describeWithRedis(`with REDIS_URL${note}`, () => {
  it('two processes that have just started share one window', async () => {
    let statuses = await statusesOf(300);
    // On a busy machine Redis may not answer a process within its second; then two others are started.
    for (let starts = 1; starts < STARTS && (await wasAway()); starts += 1) {
      await Promise.all(pair.map((service) => service.stop()));
      await startPair();
      caller = await stack.caller('Caller');
      statuses = await statusesOf(300);
    }
    expect([passed(statuses), statuses.filter((status) => status === 429).length]).toEqual([120, 180]);
    expect(await wasAway()).toBe(false);
    const [row] = await stack.dataSource.query<{ rows: string }[]>('SELECT count(*) AS rows FROM rate_limits');
    expect(Number(row!.rows)).toBe(0);
  });

  describe.each([
    ['refuses connections', () => redis.refuse()],
    ['is silent', () => redis.hang()],
  ])('while Redis %s', (_how, takeAway) => {
    it('the service answers, each process holds the quota, and the window is one again afterwards', async () => {
      takeAway();
      const startedAt = Date.now();
      const statuses = await statusesOf(400);
      expect(Date.now() - startedAt).toBeLessThan(19_000);
      if (statuses.includes(503)) throw new Error(await faults());
      expect(new Set(statuses)).toEqual(new Set([200, 429]));
      expect(passed(statuses)).toBeGreaterThanOrEqual(120);
      expect(passed(statuses)).toBeLessThanOrEqual(240);
      await eventually(() => pair.every(isOnFallback));
      expect(await Promise.all(pair.map((service) => service.health('ready')))).toEqual([200, 200]);

      redis.pass();
      await eventually(async () => {
        caller = await stack.caller('Caller');
        return passed(await statusesOf(300)) === 120;
      }, 60_000);
    });
  });
});
