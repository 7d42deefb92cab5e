import { Logger } from '@nestjs/common';
import { Clock } from '../../time/clock.js';
import { FallbackWindowCounter } from './fallback-window-counter.js';
import { LeasedWindows } from './leased-windows.js';

describe('while the store is away', () => {
  const clock = new Clock();
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  beforeEach(() => {
    jest.spyOn(Logger.prototype, 'log').mockImplementation();
  });

  it('the quota holds in memory, and is never lifted', async () => {
    const add = jest.fn().mockRejectedValue(new Error('away'));
    const counter = new FallbackWindowCounter({ add, close: () => Promise.resolve() }, clock);
    const bucket = new LeasedWindows('t', 120, 60_000, counter, clock);
    const grants = await Promise.all(Array.from({ length: 300 }, async () => bucket.take('k')));
    expect(grants.filter((grant) => grant.allowed)).toHaveLength(120);
    expect(counter.isOnFallback).toBe(true);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('the store is left alone for a second and then asked again', async () => {
    const now = jest.spyOn(clock, 'nowMs').mockReturnValue(1000);
    const add = jest.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValue({ consumed: 7, msLeft: 5 });
    const counter = new FallbackWindowCounter({ add, close: () => Promise.resolve() }, clock);
    await counter.add('k', 1, 60_000);
    expect(await counter.add('k', 1, 60_000)).toMatchObject({ consumed: 2 });
    expect(add).toHaveBeenCalledTimes(1);
    now.mockReturnValue(2001);
    expect(await counter.add('k', 1, 60_000)).toEqual({ consumed: 7, msLeft: 5 });
    expect(counter.isOnFallback).toBe(false);
    now.mockRestore();
  });
});

it('a store that refuses one key is asked for all others, and that key is counted in memory', async () => {
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  const refusal = Object.assign(new Error('value too long for type character varying(255)'), { code: '22001' });
  const add = jest.fn().mockRejectedValueOnce(refusal).mockResolvedValue({ consumed: 7, msLeft: 5 });
  const counter = new FallbackWindowCounter({ add, close: () => Promise.resolve() }, new Clock());
  expect(await counter.add('long', 1, 60_000)).toMatchObject({ consumed: 1 });
  expect(counter.isOnFallback).toBe(false);
  expect(await counter.add('k', 1, 60_000)).toEqual({ consumed: 7, msLeft: 5 });
  expect(error).toHaveBeenCalledTimes(1);
});
