import { Clock } from './clock.js';

const NOW = Date.UTC(2026, 10, 20, 12);

beforeEach(() => jest.useFakeTimers({ now: NOW }));
afterEach(() => jest.useRealTimers());

describe('the clock', () => {
  it('is the wall’s', () => {
    const clock = new Clock();
    expect([clock.nowMs(), clock.now().getTime(), clock.nowSeconds()]).toEqual([NOW, NOW, NOW / 1000]);
    jest.setSystemTime(NOW + 1_999);
    expect(clock.nowSeconds()).toBe(NOW / 1000 + 1);
  });

  it('runs on from a later moment at the speed of the wall’s', () => {
    const clock = new Clock();
    clock.runFrom(NOW + 86_400_000);
    expect(clock.nowMs()).toBe(NOW + 86_400_000);
    jest.setSystemTime(NOW + 5);
    expect(clock.nowMs()).toBe(NOW + 86_400_005);
  });

  it('never goes back: not to an earlier moment, nor to one that it has passed', () => {
    const clock = new Clock();
    clock.runFrom(NOW - 86_400_000);
    expect(clock.nowMs()).toBe(NOW);
    clock.runFrom(NOW + 10_000);
    clock.runFrom(NOW + 5_000);
    expect(clock.nowMs()).toBe(NOW + 10_000);
  });
});
