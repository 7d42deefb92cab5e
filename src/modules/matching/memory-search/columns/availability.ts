import { grownFloats, sharedFloats } from '#libs/text-search';

const FIRST_CAPACITY = 1_024;

/**
 * The availability of active agents by number, equal to `isAvailableAt` (agents/agent/agent.lifecycle.ts), in eight bytes
 * each.
 */
export class Availability {
  /**
   * For each agent, the time in milliseconds since 1970 from which the opposite of its availability holds. Positive:
   * available until then. Negative: not available until then. Infinite: for good. 0: never set.
   */
  private until: Float64Array;

  /** @param until `shared` of an Availability in another thread; by default a new empty array. */
  constructor(until: Float64Array = sharedFloats(FIRST_CAPACITY)) {
    this.until = until;
  }

  /** The array by which another thread reads this object, until an agent number beyond its end makes a new array. */
  get shared(): Float64Array {
    return this.until;
  }

  get bytes(): number {
    return this.until.byteLength;
  }

  /** @param untilMs milliseconds since 1970 from which the opposite holds; null: never. */
  set(agent: number, available: boolean, untilMs: number | null): void {
    if (agent >= this.until.length) this.until = grownFloats(this.until, agent + 1);
    // At least 1, because 0 means never set; an earlier time has passed as well.
    const until = untilMs === null ? Number.POSITIVE_INFINITY : Math.max(1, untilMs);
    this.until[agent] = available ? until : -until;
  }

  /** @param atMs milliseconds since 1970. */
  isAvailable(agent: number, atMs: number): boolean {
    const until = this.until[agent] ?? 0;
    return until > 0 ? atMs < until : until < 0 && -until <= atMs;
  }
}
