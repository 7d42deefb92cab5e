import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../../../platform/time/clock.js';

/**
 * Replaces a service's clock by the time of the scenarios. Work run by `at` has its own time, while concurrent sweepers
 * keep the scenarios' time; otherwise they would end what has not ended yet.
 */
export class ScenarioTime {
  private readonly other = new AsyncLocalStorage<number>();
  private time: () => number = Date.now;

  constructor(clock: Clock) {
    clock.nowMs = () => this.nowMs;
  }

  /** Milliseconds since 1970. */
  get nowMs(): number {
    return this.other.getStore() ?? this.time();
  }

  /** @param nowMs returns the time of all later records, milliseconds since 1970. */
  follow(nowMs: () => number): void {
    this.time = nowMs;
  }

  /** Runs `work`, and everything it starts, at another time (milliseconds since 1970). */
  at<T>(ms: number, work: () => Promise<T>): Promise<T> {
    return this.other.run(ms, work);
  }
}
