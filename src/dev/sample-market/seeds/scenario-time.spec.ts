import { setTimeout as sleep } from 'node:timers/promises';
import { Clock } from '../../../platform/time/clock.js';
import { ScenarioTime } from './scenario-time.js';

describe('the time of the scenarios', () => {
  it('is the real time until scenarios begin, then the time of the scenario', () => {
    const clock = new Clock();
    const time = new ScenarioTime(clock);
    expect(Math.abs(clock.nowMs() - Date.now())).toBeLessThan(1_000);
    let now = 5_000;
    time.follow(() => now);
    now = 6_000;
    expect([clock.nowMs(), clock.now().getTime(), clock.nowSeconds()]).toEqual([6_000, 6_000, 6]);
  });

  it('is another time for the work inside `atTime`, and for nothing else', async () => {
    const clock = new Clock();
    const time = new ScenarioTime(clock);
    time.follow(() => 1_000);
    const beside: number[] = [];
    const sweeper = setInterval(() => beside.push(clock.nowMs()), 1);
    const inside = await time.at(90_000, async () => {
      const before = clock.nowMs();
      await sleep(20);
      return [before, clock.nowMs()];
    });
    clearInterval(sweeper);
    expect(inside).toEqual([90_000, 90_000]);
    expect(beside.length).toBeGreaterThan(0);
    expect(new Set(beside)).toEqual(new Set([1_000]));
    expect(clock.nowMs()).toBe(1_000);
  });

  it('is restored after work that fails', async () => {
    const clock = new Clock();
    const time = new ScenarioTime(clock);
    time.follow(() => 1_000);
    await expect(time.at(90_000, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(clock.nowMs()).toBe(1_000);
  });
});
