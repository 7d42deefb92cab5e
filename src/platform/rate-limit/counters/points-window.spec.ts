import { Clock } from '../../time/clock.js';
import { PointsWindow } from './points-window.js';
import type { WindowCount, WindowCounter } from './window-counter.js';

class SetClock extends Clock {
  ms = 1_000_000;
  override nowMs(): number {
    return this.ms;
  }
}

/** One shared window per key, as a store keeps it; remembers every question. */
class SharedCounter implements WindowCounter {
  readonly asked: [key: string, points: number][] = [];
  private readonly windows = new Map<string, { consumed: number; endsAtMs: number }>();

  constructor(private readonly clock: Clock) {}

  add(key: string, points: number, windowMs: number): Promise<WindowCount> {
    this.asked.push([key, points]);
    const nowMs = this.clock.nowMs();
    const known = this.windows.get(key);
    const window = known && known.endsAtMs > nowMs ? known : { consumed: 0, endsAtMs: nowMs + windowMs };
    window.consumed += points;
    this.windows.set(key, window);
    return Promise.resolve({ consumed: window.consumed, msLeft: window.endsAtMs - nowMs });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const clock = new SetClock();
let counter: SharedCounter;
beforeEach(() => (counter = new SharedCounter(clock)));

describe('points in a window', () => {
  it('spend it from the stated amount on, until it ends, for this key alone', async () => {
    const words = new PointsWindow({ name: 'words', windowMs: 60_000, spentFrom: 101 }, counter, clock);
    expect(await words.add('one', 60)).toBeNull();
    clock.ms += 10_000;
    expect(await words.add('one', 40)).toBeNull();
    expect(words.spentUntil('one')).toBeNull();
    const ends = clock.ms + 50_000;
    expect(await words.add('one', 1)).toBe(ends);
    expect([words.spentUntil('one'), words.spentUntil('other')]).toEqual([ends, null]);
    expect(await words.add('other', 1)).toBeNull();
    clock.ms = ends;
    expect(words.spentUntil('one')).toBeNull();
    expect(await words.add('one', 100)).toBeNull();
    expect(counter.asked[0]).toEqual(['words:one', 60]);
  });

  it('are told to the store in lots, as whole points', async () => {
    const policy = { name: 'answers', windowMs: 60_000, spentFrom: 4_096, perPoint: 1_024, lot: 1_000 };
    const [one, two] = [new PointsWindow(policy, counter, clock), new PointsWindow(policy, counter, clock)];
    expect(await one.add('a', 600)).toBeNull();
    expect(counter.asked).toEqual([]);
    expect(await one.add('a', 600)).toBeNull();
    expect(counter.asked).toEqual([['answers:a', 2]]);
    expect(await two.add('a', 2_000)).toBe(clock.ms + 60_000);
    // The other process does not know yet, and learns it when it tells.
    expect([one.spentUntil('a'), two.spentUntil('a')]).toEqual([null, clock.ms + 60_000]);
    expect(await one.add('a', 1_000)).toBe(clock.ms + 60_000);
  });

  it('begin anew behind a failing store', async () => {
    jest.spyOn(counter, 'add').mockRejectedValueOnce(new Error('away'));
    const words = new PointsWindow({ name: 'words', windowMs: 60_000, spentFrom: 10 }, counter, clock);
    await expect(words.add('one', 20)).rejects.toThrow('away');
    expect(words.spentUntil('one')).toBeNull();
    expect(await words.add('one', 9)).toBeNull();
  });

  it('let what reaches the amount pass where the last one is admitted, in whichever process, and nothing after it', async () => {
    const policy = { name: 'words', windowMs: 60_000, spentFrom: 100, admitsLast: true };
    const [one, other] = [new PointsWindow(policy, counter, clock), new PointsWindow(policy, counter, clock)];
    expect([await one.add('k', 99), await one.add('k', 500), one.spentUntil('k')]).toEqual([
      null,
      null,
      clock.ms + 60_000,
    ]);
    expect(await other.add('k', 1)).toBe(clock.ms + 60_000);
  });
});
