/** The two clocks of a browser. */
interface BrowserClocks {
  /** Milliseconds that only go forward; their zero means nothing. */
  elapsedMs(): number;
  /** The computer's own clock, milliseconds since the epoch. */
  computerTimeMs(): number;
}

/** The service's time, carried on by this browser: the clock of a computer may be wrong, and be set while a page is open. */
export class ServiceClock {
  private aheadMs: number | null = null;
  private offMs = 0;

  constructor(private readonly browser: BrowserClocks) {}

  /** @param dateMs the time in an answer that has just come; null keeps what is known. */
  set(dateMs: number | null): void {
    if (dateMs === null) return;
    this.aheadMs = dateMs - this.browser.elapsedMs();
    this.offMs = this.browser.computerTimeMs() - dateMs;
  }

  /** Milliseconds since the epoch; the computer's own time until the service has said its. */
  nowMs(): number {
    return this.aheadMs === null ? this.browser.computerTimeMs() : this.browser.elapsedMs() + this.aheadMs;
  }

  /** How far the computer's clock is ahead of the service's, milliseconds; negative: behind. */
  get skewMs(): number {
    return this.offMs;
  }
}
