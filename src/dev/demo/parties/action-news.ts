import { setTimeout as sleep } from 'node:timers/promises';

/** Time without news after which the service is asked all the same, milliseconds: with a stream, and without one. */
const LONGEST_SILENCE_MS = 20_000;
const POLL_MS = 2_000;

/** Opens a stream of the service's events; rejects or answers with an error where there is none. */
export type OpenStream = (signal: AbortSignal) => Promise<Response>;

/** Hears from the service's stream of events that something has become of an action. */
export class ActionNews {
  private wake = (): void => undefined;
  private isNew = false;
  private isOpen = false;
  private readonly reading: Promise<void>;

  private constructor(
    private readonly actionId: string,
    response: Response | null,
  ) {
    this.reading = this.read(response);
  }

  /**
   * Asks until the answer is one, at once and whenever something is told of the action. Where there is no stream, it asks
   * every other second.
   * @param ask resolves with undefined while there is nothing to say yet. @param atMostMs then it is given up.
   * @returns the answer, undefined when there was none in time. Rejects as `ask` does.
   */
  static async until<T>(
    actionId: string,
    open: OpenStream,
    ask: () => Promise<T | undefined>,
    atMostMs: number,
  ): Promise<T | undefined> {
    const cut = new AbortController();
    const news = new ActionNews(actionId, await open(cut.signal).catch(() => null));
    try {
      const endsAt = performance.now() + atMostMs;
      for (;;) {
        const answer = await ask();
        if (answer !== undefined || performance.now() >= endsAt) return answer;
        await news.next();
      }
    } finally {
      cut.abort();
      await news.reading;
    }
  }

  /** Resolves once something was told since the last call, or after a while. */
  private async next(): Promise<void> {
    if (!this.isNew) {
      const told = new Promise<void>((resolve) => (this.wake = resolve));
      const quiet = new AbortController();
      const ms = this.isOpen ? LONGEST_SILENCE_MS : POLL_MS;
      await Promise.race([told, sleep(ms, undefined, { signal: quiet.signal }).catch(() => undefined)]);
      quiet.abort();
    }
    this.isNew = false;
  }

  private async read(response: Response | null): Promise<void> {
    if (response?.ok !== true || response.body === null) return;
    let text = '';
    this.isOpen = true;
    try {
      for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
        text += part;
        const frames = text.split('\n\n');
        text = frames.pop() ?? '';
        if (frames.some((frame) => frame.includes(`"id":"${this.actionId}"`))) {
          this.isNew = true;
          this.wake();
        }
      }
    } catch {
      // As after its end: what comes is asked for.
    }
    this.isOpen = false;
    this.wake();
  }
}
