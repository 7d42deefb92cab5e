import { sharedFloats } from '#libs/text-search';

const FIRST_CAPACITY = 1_024;

/** For which tasks agents may be found. */
export interface HireQuery {
  /** Milliseconds since 1970. */
  atMs: number;
  /** Agents that are not looked for. */
  excluded: ReadonlySet<number>;
}

/** Which agents take new work, by number: `isAvailableAt` (agents/agent/agent.lifecycle.ts) of active ones, in eight bytes each. */
export class Availability {
  /**
   * The time from when on the opposite holds of what an agent says, in milliseconds since 1970: above 0 for one that takes
   * work until then, below 0 for one that does not; infinite for good. 0 for one that was never set.
   */
  private until: Float64Array;

  /** @param until `shared` of another one, in another thread; by default nothing is known. */
  constructor(until: Float64Array = sharedFloats(FIRST_CAPACITY)) {
    this.until = until;
  }

  /** What another thread reads this by, until an agent has a number beyond its end. */
  get shared(): Float64Array {
    return this.until;
  }

  get bytes(): number {
    return this.until.byteLength;
  }

  /** @param untilMs milliseconds since 1970 from when on the opposite holds; null: never. */
  set(agent: number, available: boolean, untilMs: number | null): void {
    if (agent >= this.until.length) this.grow(agent + 1);
    // Any time before that has passed as well.
    const until = untilMs === null ? Number.POSITIVE_INFINITY : Math.max(1, untilMs);
    this.until[agent] = available ? until : -until;
  }

  /** @param atMs milliseconds since 1970. */
  isAvailable(agent: number, atMs: number): boolean {
    const until = this.until[agent] ?? 0;
    return until > 0 ? atMs < until : until < 0 && -until <= atMs;
  }

  /** Whether an agent may be found for a task. */
  mayBeHired(agent: number, { atMs, excluded }: HireQuery): boolean {
    return this.isAvailable(agent, atMs) && !excluded.has(agent);
  }

  private grow(least: number): void {
    const until = sharedFloats(Math.max(least, 2 * this.until.length));
    until.set(this.until);
    this.until = until;
  }
}
