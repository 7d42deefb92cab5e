import { Clock } from '../../time/clock.js';
import { LeasedWindows, tokensGranted, tokensToAsk } from './leased-windows.js';
import type { WindowCount, WindowCounter } from './window-counter.js';

class SetClock extends Clock {
  ms = 1_000_000;
  override nowMs(): number {
    return this.ms;
  }
}

/** One shared window per key, as a store keeps it; remembers every question. */
class SharedCounter implements WindowCounter {
  readonly asked: number[] = [];
  readonly windows = new Map<string, { consumed: number; endsAtMs: number }>();
  failure: Error | null = null;

  constructor(private readonly clock: Clock) {}

  async add(key: string, points: number, windowMs: number): Promise<WindowCount> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.failure) throw this.failure;
    this.asked.push(points);
    const nowMs = this.clock.nowMs();
    const known = this.windows.get(key);
    const window = known && known.endsAtMs > nowMs ? known : { consumed: 0, endsAtMs: nowMs + windowMs };
    window.consumed += points;
    this.windows.set(key, window);
    return { consumed: window.consumed, msLeft: window.endsAtMs - nowMs };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

describe('the size of a lease', () => {
  it.each([
    [120, 120, 1, 1],
    [199, 199, 1, 1],
    [200, 200, 1, 2],
    [10_000, 10_000, 1, 100],
    [10_000, 100, 1, 100],
    [10_000, 99, 1, 1],
    [10_000, 99, 7, 7],
    [10_000, 10_000, 350, 350],
    [120, 120, 300, 120],
    [1, 1, 5, 1],
  ])('with quota %i, %i left and %i waiting asks for %i', (quota, shared, waiting, expected) => {
    expect(tokensToAsk(quota, shared, waiting)).toBe(expected);
  });
});

describe('what a lease yields', () => {
  it.each([
    [120, 1, 1, 1],
    [120, 120, 1, 1],
    [120, 121, 1, 0],
    [120, 125, 10, 5],
    [120, 130, 10, 0],
    [120, 5000, 10, 0],
    [120, 120, 120, 120],
  ])('with quota %i and %i consumed after asking for %i grants %i', (quota, consumed, asked, expected) => {
    expect(tokensGranted(quota, consumed, asked)).toBe(expected);
  });

  it('adds up to the quota, however the questions of all processes are cut', () => {
    for (const sizes of [[7], [1, 13, 2], [50, 50, 50], [119, 3]]) {
      let consumed = 0;
      let granted = 0;
      for (let i = 0; consumed < 500; i++) {
        const asked = sizes[i % sizes.length] ?? 1;
        consumed += asked;
        granted += tokensGranted(120, consumed, asked);
      }
      expect(granted).toBe(120);
    }
  });
});

describe('a window', () => {
  const clock = new SetClock();
  const make = (quota: number, counter: WindowCounter) => new LeasedWindows('t', quota, 60_000, counter, clock);
  const takeMany = (buckets: LeasedWindows[], count: number) =>
    Promise.all(Array.from({ length: count }, async (_, i) => buckets[i % buckets.length]!.take('k')));

  it('grants exactly its quota to any number of processes', async () => {
    const counter = new SharedCounter(clock);
    const processes = [make(1000, counter), make(1000, counter), make(1000, counter)];
    let allowed = 0;
    for (let round = 0; round < 60; round++) {
      allowed += (await takeMany(processes, 30)).filter((grant) => grant.allowed).length;
    }
    expect(allowed).toBeLessThanOrEqual(1000);
    // What is not granted is leased by another process and unspent: less than one lease each.
    expect(allowed).toBeGreaterThan(1000 - 3 * 10);
  });

  it('is exact when a lease is one token', async () => {
    const counter = new SharedCounter(clock);
    const grants = await takeMany([make(120, counter), make(120, counter)], 300);
    expect(grants.filter((grant) => grant.allowed)).toHaveLength(120);
  });

  it('asks the store once per lease and not for each request', async () => {
    const counter = new SharedCounter(clock);
    const bucket = make(10_000, counter);
    for (let i = 0; i < 1000; i++) await bucket.take('k');
    expect(counter.asked).toEqual(Array.from({ length: 10 }, () => 100));
  });

  it('answers from a lease without a promise, and counts what is left down by one', async () => {
    const bucket = make(10_000, new SharedCounter(clock));
    const first = await bucket.take('k');
    const second = bucket.take('k');
    expect([first.remaining, second]).toEqual([9999, expect.objectContaining({ allowed: true, remaining: 9998 })]);
  });

  it('is refused from memory once it is spent, and begins anew when it has ended', async () => {
    const counter = new SharedCounter(clock);
    const bucket = make(2, counter);
    await takeMany([bucket], 3);
    const questions = counter.asked.length;
    expect(bucket.take('k')).toMatchObject({ allowed: false, remaining: 0 });
    expect(counter.asked).toHaveLength(questions);
    clock.ms += 60_000;
    expect(await bucket.take('k')).toMatchObject({ allowed: true, remaining: 1 });
  });

  it('does not carry leased tokens into the next window', async () => {
    const counter = new SharedCounter(clock);
    const bucket = make(1000, counter);
    await bucket.take('k');
    clock.ms += 60_000;
    await bucket.take('k');
    expect(counter.asked).toEqual([10, 10]);
    expect(counter.windows.get('t:k')?.consumed).toBe(10);
  });

  it('keeps keys apart', async () => {
    const bucket = make(1, new SharedCounter(clock));
    await bucket.take('a');
    expect(await bucket.take('a')).toMatchObject({ allowed: false });
    expect(await bucket.take('b')).toMatchObject({ allowed: true });
  });

  it('hands the failure of the counter to those who waited, and asks again for the next', async () => {
    const counter = new SharedCounter(clock);
    const bucket = make(5, counter);
    counter.failure = new Error('away');
    await expect(Promise.all([bucket.take('k'), bucket.take('k')])).rejects.toThrow('away');
    counter.failure = null;
    expect(await bucket.take('k')).toMatchObject({ allowed: true, remaining: 4 });
  });
});
