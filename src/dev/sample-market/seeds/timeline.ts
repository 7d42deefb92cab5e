/** Waits until the market's time has come to this moment (unix seconds). */
export type At = (seconds: number) => Promise<void>;

interface Waiting {
  seconds: number;
  resume: () => void;
}

/**
 * Runs several stories in one stream of time. Each story is plain code that waits for moments; the story with the
 * earliest moment always runs next, alone, until it waits again. So time only moves forward, as it does on a chain, and
 * a story reads from top to bottom.
 */
export class Timeline {
  private waiting: Waiting[] = [];
  private active = 0;
  private hasFailed = false;

  /** @param moveTo gets every new moment (unix seconds) before a story continues. */
  constructor(private readonly moveTo: (seconds: number) => void) {}

  /** Runs all stories to their ends. Rejects with the first failure, after which no story goes on. */
  async run(stories: readonly ((at: At) => Promise<void>)[]): Promise<void> {
    this.active = stories.length;
    await Promise.all(stories.map((story) => this.tell(story)));
  }

  private async tell(story: (at: At) => Promise<void>): Promise<void> {
    try {
      await story((seconds) => this.wait(seconds));
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
