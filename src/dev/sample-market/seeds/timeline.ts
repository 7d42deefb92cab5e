/** Waits until the market's time has come to this moment (unix seconds). */
export type At = (seconds: number) => Promise<void>;

interface Waiting {
  seconds: number;
  resume: () => void;
}

/**
 * Runs several scenarios in one stream of time. Each scenario is plain code that waits for moments; the scenario with the
 * earliest moment always runs next, alone, until it waits again. So time only moves forward, as it does on a chain, and
 * a scenario reads from top to bottom.
 */
export class Timeline {
  private waiting: Waiting[] = [];
  private active = 0;
  private hasFailed = false;

  /** @param moveTo gets every new moment (unix seconds) before a scenario continues. */
  constructor(private readonly moveTo: (seconds: number) => void) {}

  /** Runs all scenarios to their ends. Rejects with the first failure, after which no scenario goes on. */
  async run(scenarios: readonly ((at: At) => Promise<void>)[]): Promise<void> {
    this.active = scenarios.length;
    await Promise.all(scenarios.map((scenario) => this.runOne(scenario)));
  }

  private async runOne(scenario: (at: At) => Promise<void>): Promise<void> {
    try {
      await scenario((seconds) => this.wait(seconds));
    } catch (error) {
      this.hasFailed = true;
      throw error;
    }
    this.yieldTurn();
  }

  private wait(seconds: number): Promise<void> {
    return new Promise((resume) => {
      this.waiting.push({ seconds, resume });
      this.yieldTurn();
    });
  }

  private yieldTurn(): void {
    this.active -= 1;
    if (this.active > 0 || this.hasFailed || this.waiting.length === 0) return;
    const next = this.waiting.reduce((earliest, one) => (one.seconds < earliest.seconds ? one : earliest));
    this.waiting = this.waiting.filter((one) => one !== next);
    this.active = 1;
    this.moveTo(next.seconds);
    next.resume();
  }
}
