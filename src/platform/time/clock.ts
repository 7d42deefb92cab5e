import { Injectable } from '@nestjs/common';

/** The only place that reads the time; tests replace it. */
@Injectable()
export class Clock {
  /** Milliseconds by which this clock is ahead of the wall's. */
  #aheadMs = 0;

  /** Now, in milliseconds since the epoch (UTC). */
  nowMs(): number {
    return Date.now() + this.#aheadMs;
  }

  /** Now, as a date (UTC). */
  now(): Date {
    return new Date(this.nowMs());
  }

  /** Now, in whole seconds since the epoch, as chains count. */
  nowSeconds(): number {
    return Math.floor(this.nowMs() / 1000);
  }

  /** Now without the part of a second: for contracts no time limit has passed before the next second. */
  thisSecond(): Date {
    return new Date(this.nowSeconds() * 1000);
  }

  /**
   * Now by the wall's clock, whatever the chain's: for keys, tokens and sessions, which are made by tools and by a
   * library that know no other, and for objects, whose times are those of their store. Milliseconds since the epoch (UTC).
   */
  wallMs(): number {
    return Date.now();
  }

  /** Now by the wall's clock, as a date (UTC); see `wallMs`. */
  wall(): Date {
    return new Date(this.wallMs());
  }

  /**
   * Sets this clock forward to a moment (milliseconds since the epoch), if that has not come yet, and runs on from
   * there; it never goes back. For a chain that has its own time, see escrow/indexer/chain-time.ts.
   */
  runFrom(ms: number): void {
    this.#aheadMs = Math.max(this.#aheadMs, ms - Date.now());
  }
}
