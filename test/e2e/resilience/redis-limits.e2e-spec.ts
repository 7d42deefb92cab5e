import { type Caller, ResilienceStack } from '../../support/resilience/resilience-stack.js';
import { eventually } from '../../support/indexed-market.js';
import type { ServiceProcess } from '../../support/resilience/service-process.js';
import { TcpProxy } from '../../support/resilience/tcp-proxy.js';

const { REDIS_URL } = process.env;
/** Without a Redis these tests are shown as skipped, and say why. */
const describeWithRedis = REDIS_URL ? describe : describe.skip;
const note = REDIS_URL ? '' : ' [not run: REDIS_URL is not set]';

let stack: ResilienceStack;
let redis: TcpProxy;
let pair: ServiceProcess[];
let caller: Caller;

beforeAll(async () => {
  if (!REDIS_URL) return;
  stack = await ResilienceStack.start();
  const url = new URL(REDIS_URL);
  redis = await TcpProxy.start(Number(url.port || 6379));
  url.port = String(redis.port);
  const own = { RATE_LIMIT_PRINCIPAL: '120', REDIS_URL: url.href };
  pair = await Promise.all([stack.service(own), stack.service(own)]);
});

afterAll(async () => {
  await stack?.stop();
  await redis?.stop();
});

beforeEach(async () => {
  if (REDIS_URL) caller = await stack.caller('Caller');
});

afterEach(() => redis?.pass());

async function statusesOf(calls: number): Promise<number[]> {
  const one = (n: number) => pair[n % 2]!.call('/v1/tasks', { key: caller.keys.read });
  return (await Promise.all(Array.from({ length: calls }, (_, n) => one(n)))).map(({ status }) => status);
}

const passed = (statuses: number[]) => statuses.filter((status) => status === 200).length;
const insured = () => pair.map(({ process }) => process.output.includes('per process, their store is away'));

describeWithRedis(`with REDIS_URL${note}`, () => {
  it('two processes that have just started share one window', async () => {
    const statuses = await statusesOf(300);
    expect([passed(statuses), statuses.filter((status) => status === 429).length]).toEqual([120, 180]);
    expect(insured()).toEqual([false, false]);
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
      expect(Date.now() - startedAt).toBeLessThan(8_000);
      expect(new Set(statuses)).toEqual(new Set([200, 429]));
      expect(passed(statuses)).toBeGreaterThanOrEqual(120);
      expect(passed(statuses)).toBeLessThanOrEqual(240);
      expect(insured()).toEqual([true, true]);
      expect(await Promise.all(pair.map((service) => service.health('ready')))).toEqual([200, 200]);

      redis.pass();
      await eventually(async () => {
        caller = await stack.caller('Caller');
        return passed(await statusesOf(300)) === 120;
      }, 20_000);
    });
  });
});
