/** In place of a time, for an agent that says so for good. */
const NEVER = 0;
const FIRST_CAPACITY = 1_024;

/** Which agents take new work, by number: `isAvailableAt` (agents/agent.lifecycle.ts) of active ones, in nine bytes each. */
export class Availability {
  private says = new Uint8Array(FIRST_CAPACITY);
  private until = new Float64Array(FIRST_CAPACITY);

  get bytes(): number {
    return this.says.byteLength + this.until.byteLength;
  }

  /** @param untilMs milliseconds since 1970 from when on the opposite holds; null: never. */
  set(agent: number, available: boolean, untilMs: number | null): void {
    if (agent >= this.says.length) this.grow(agent + 1);
    this.says[agent] = Number(available);
    this.until[agent] = untilMs ?? NEVER;
  }

  /** @param atMs milliseconds since 1970. */
  isAvailable(agent: number, atMs: number): boolean {
    const until = this.until[agent] ?? NEVER;
    const hasLapsed = until !== NEVER && until <= atMs;
    return (this.says[agent] === 1) !== hasLapsed;
  }

  private grow(least: number): void {
    const capacity = Math.max(least, 2 * this.says.length);
    const [says, until] = [new Uint8Array(capacity), new Float64Array(capacity)];
    says.set(this.says);
    until.set(this.until);
    [this.says, this.until] = [says, until];
  }
}
