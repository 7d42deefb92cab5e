/** Why a mutation was not started. */
export type NotStarted = 'busy' | 'timeout';

/**
 * The mutations that run in this process now. Equal ones (same scope) share one execution, and one principal runs
 * only so many at once: a flood of retries would otherwise hold every database connection while it waits
 * (docs/decisions/http.md#one-transaction-per-key).
 */
export class InFlightMutations<Outcome> {
  private readonly running = new Map<string, Promise<Outcome | null>>();
  private readonly perAccount = new Map<string, number>();

  /**
   * @param perAccountLimit executions at once per account; those that only wait for an equal one do not count.
   * @param waitMs longest wait for an equal one.
   */
  constructor(
    private readonly perAccountLimit: number,
    private readonly waitMs: number,
  ) {}

  /**
   * Runs `lead`, or hands over the outcome of the equal mutation that runs already. If that one fails, the next
   * waiting one leads. Errors of `lead` reach only the caller whose `lead` it was.
   */
  async run(
    scope: string,
    accountId: string,
    lead: () => Promise<Outcome>,
  ): Promise<{ outcome: Outcome; led: boolean } | NotStarted> {
    const deadline = new Deadline(this.waitMs);
    try {
      for (let leader = this.running.get(scope); leader; leader = this.running.get(scope)) {
        const outcome = await Promise.race([leader, deadline.reached]);
        if (outcome === 'timeout') return 'timeout';
        if (outcome !== null) return { outcome, led: false };
      }
    } finally {
      deadline.clear();
    }
    if ((this.perAccount.get(accountId) ?? 0) >= this.perAccountLimit) return 'busy';
    return { outcome: await this.lead(scope, accountId, lead), led: true };
  }

  private async lead(scope: string, accountId: string, lead: () => Promise<Outcome>): Promise<Outcome> {
    this.perAccount.set(accountId, (this.perAccount.get(accountId) ?? 0) + 1);
    const outcome = lead();
    this.running.set(
      scope,
      outcome.catch(() => null),
    );
    try {
      return await outcome;
    } finally {
      this.running.delete(scope);
      const left = (this.perAccount.get(accountId) ?? 1) - 1;
      if (left === 0) this.perAccount.delete(accountId);
      else this.perAccount.set(accountId, left);
    }
  }
}

/** A timer that is only started when somebody waits for it. */
class Deadline {
  private timer: NodeJS.Timeout | undefined;
  private promise: Promise<'timeout'> | undefined;

  constructor(private readonly ms: number) {}

  get reached(): Promise<'timeout'> {
    this.promise ??= new Promise((resolve) => {
      this.timer = setTimeout(resolve, this.ms, 'timeout');
    });
    return this.promise;
  }

  clear(): void {
    clearTimeout(this.timer);
  }
}
