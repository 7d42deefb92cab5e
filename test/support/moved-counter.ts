import type { WindowCount, WindowCounter } from '../../src/platform/rate-limit/counters/window-counter.js';
import { Clock } from '../../src/platform/time/clock.js';

/** Counts windows by a clock that a spec moves; the service's own stores use the machine's clock. */
export class MovedCounter implements WindowCounter {
  /** How often it was called. */
  asked = 0;
  private readonly windows = new Map<string, { consumed: number; endsAtMs: number }>();

  constructor(private readonly clock: Clock) {}

  add(key: string, points: number, windowMs: number): Promise<WindowCount> {
    this.asked += 1;
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
