import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../../../platform/time/clock.js';

/**
 * The time of the stories, in place of a service's own. What is done at another time has that time for itself: sweepers,
 * which go on beside it, stay in the time of the stories, or they would end what has not ended yet.
 */
export class StoryTime {
  private readonly other = new AsyncLocalStorage<number>();
  private time: () => number = Date.now;

  constructor(clock: Clock) {
    clock.nowMs = () => this.nowMs;
  }

  /** Milliseconds since 1970. */
  get nowMs(): number {
    return this.other.getStore() ?? this.time();
  }

  /** @param nowMs the time that everything carries from now on, milliseconds since 1970. */
  follow(nowMs: () => number): void {
    this.time = nowMs;
  }

  /** Does something, with all that it starts and waits for, at another time (milliseconds since 1970). */
  at<T>(ms: number, work: () => Promise<T>): Promise<T> {
    return this.other.run(ms, work);
  }
}
