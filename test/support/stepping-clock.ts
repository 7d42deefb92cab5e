import { Clock } from '../../src/platform/time/clock.js';

/** A clock that a spec can move ahead. */
export class SteppingClock extends Clock {
  aheadMs = 0;

  override nowMs(): number {
    return Date.now() + this.aheadMs;
  }
}
