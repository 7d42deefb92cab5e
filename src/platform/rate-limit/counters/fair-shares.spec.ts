import { Logger } from '@nestjs/common';
import { MovedCounter } from '../../../../test/support/moved-counter.js';
import { Clock } from '../../time/clock.js';
import { FairShares, type Shares } from './fair-shares.js';
import { FallbackWindowCounter } from './fallback-window-counter.js';
import type { WindowCounter } from './window-counter.js';

class MovedClock extends Clock {
  aheadMs = 0;

  override nowMs(): number {
    return 1_800_000_000_000 + this.aheadMs;
  }
}

const HOUR_MS = 3_600_000;
let clock: MovedClock;
let counter: MovedCounter;

beforeEach(() => {
  clock = new MovedClock();
  counter = new MovedCounter(clock);
});

const sharesOf = (shares: Partial<Shares>) =>
  new FairShares('spec', { share: 10, total: 100, windowMs: HOUR_MS, ...shares }, counter, clock);

async function admitted(shares: FairShares, key: string, attempts: number): Promise<number> {
  let count = 0;
  for (let i = 0; i < attempts; i += 1) if ((await shares.take(key)).allowed) count += 1;
  return count;
}

it('one key alone may take much more than its share, and never all', async () => {
  expect(await admitted(sharesOf({}), 'greedy', 1000)).toBe(50);
});

it('keys that take what they can leave every other its share', async () => {
  const shares = sharesOf({});
  const taken = [];
  for (const key of ['a', 'b', 'c', 'd']) taken.push(await admitted(shares, key, 1000));
  expect(taken.slice(0, 3)).toEqual([50, 25, 13]);
  expect(taken[3]).toBe(10);
});

it('when everything is taken, each key has a fifth of its share, so that nobody is shut out', async () => {
  const shares = sharesOf({ total: 20 });
  for (const key of ['a', 'b']) await admitted(shares, key, 1000);
  const taken = [];
  for (let i = 0; i < 5; i += 1) taken.push(await admitted(shares, `late ${i}`, 10));
  expect(taken.every((count) => count >= 2)).toBe(true);
  expect(taken.slice(1)).toEqual([2, 2, 2, 2]);
});

it('is told how much is left, and until when', async () => {
  const shares = sharesOf({ total: 10 });
  expect(await shares.take('k')).toEqual({ allowed: true, remaining: 9, endsAtMs: clock.nowMs() + HOUR_MS });
  await admitted(shares, 'k', 20);
  expect(await shares.take('k')).toMatchObject({ allowed: false, remaining: 0 });
});

it('who is refused is refused from memory, until the window ends', async () => {
  const shares = sharesOf({ total: 20 });
  await admitted(shares, 'k', 30);
  const before = counter.asked;
  expect(await admitted(shares, 'k', 100)).toBe(0);
  expect(counter.asked).toBe(before);
  clock.aheadMs = HOUR_MS + 1;
  expect((await shares.take('k')).allowed).toBe(true);
});

it('several processes share what is left', async () => {
  const processes = [sharesOf({}), sharesOf({})];
  let count = 0;
  for (let i = 0; i < 400; i += 1) if ((await processes[i % 2]!.take('greedy')).allowed) count += 1;
  expect(count).toBeLessThanOrEqual(51);
  expect(count).toBeGreaterThanOrEqual(49);
  expect(await admitted(processes[1]!, 'other', 100)).toBeGreaterThanOrEqual(24);
});

it('holds in one process while the store is away', async () => {
  const away: WindowCounter = { add: () => Promise.reject(new Error('away')), close: () => Promise.resolve() };
  const shares = new FairShares(
    'spec',
    { share: 10, total: 100, windowMs: HOUR_MS },
    new FallbackWindowCounter(away, new Clock()),
    new Clock(),
  );
  jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  expect(await admitted(shares, 'greedy', 1000)).toBe(50);
  expect(await admitted(shares, 'other', 10)).toBe(10);
});
