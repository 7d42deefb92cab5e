/** What a look at the outbox has found; numbers as `pg` gives them. */
export interface OutboxLook {
  /** Number of the first event that waits; null when none does. */
  readonly first: string | null;
  /** Greatest number given out, also to transactions that are open. */
  readonly given: string;
  /** The oldest transaction that was open. */
  readonly oldest: string;
  /** The transaction that was to begin next. */
  readonly next: string;
}

/**
 * The number up to which no event can come any more, so that a search may begin behind it. Searched from its beginning,
 * the outbox costs more with every event that was moved, for as long as a backup or another old snapshot keeps Postgres
 * from clearing it.
 *
 * A transaction has its identity before it gets a number, because it has locked or written the subject. So those that
 * got the numbers of one look had begun when the snapshot of a later one was taken: once all that had begun by then have
 * ended, every event up to these numbers is visible or undone.
 */
export class OutboxFloor {
  private settled = 0n;
  private given: bigint | null = null;
  /** Numbers that are settled once every transaction before `next` has ended. */
  private awaited: { readonly number: bigint; readonly next: bigint } | null = null;

  get value(): string {
    return String(this.settled);
  }

  /** Takes in what a look at the outbox above `value` has found. */
  learn(look: OutboxLook): void {
    const { awaited } = this;
    if (awaited && BigInt(look.oldest) >= awaited.next) {
      const beforeFirst = look.first === null ? awaited.number : BigInt(look.first) - 1n;
      this.settled = awaited.number < beforeFirst ? awaited.number : beforeFirst;
      this.awaited = null;
    }
    if (this.awaited === null && this.given !== null) this.awaited = { number: this.given, next: BigInt(look.next) };
    this.given = BigInt(look.given);
  }
}
