const FIRST_CAPACITY = 1_024;

/** Which agents take new work, by number: `isAvailableAt` (agents/agent.lifecycle.ts) of active ones, in eight bytes each. */
export class Availability {
  /**
   * The time from when on the opposite holds of what an agent says, in milliseconds since 1970: above 0 for one that takes
   * work until then, below 0 for one that does not; infinite for good. 0 for one that was never set.
   */
  private until = new Float64Array(FIRST_CAPACITY);

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

  private grow(least: number): void {
    const until = new Float64Array(Math.max(least, 2 * this.until.length));
    until.set(this.until);
    this.until = until;
  }
}
