import { Injectable } from '@nestjs/common';

/** The only place that reads the time; tests replace it. */
@Injectable()
export class Clock {
  /** Now, in milliseconds since the epoch (UTC). */
  nowMs(): number {
    return Date.now();
  }

  /** Now, as a date (UTC). */
  now(): Date {
    return new Date(this.nowMs());
  }

  /** Now, in whole seconds since the epoch, as chains count. */
  nowSeconds(): number {
    return Math.floor(this.nowMs() / 1000);
  }
}
