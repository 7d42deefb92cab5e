/** Writes one line; to `process.stdout` unless a test or the demo takes the lines. */
export type WriteLine = (line: string) => void;

/** Tells the person what happens, one line per part, with the time it took. */
export class Progress {
  private readonly startedMs = performance.now();

  constructor(
    private readonly write: WriteLine,
    private readonly colour: boolean,
  ) {}

  /** Milliseconds since this progress began. */
  get elapsedMs(): number {
    return Math.round(performance.now() - this.startedMs);
  }

  /** Runs one part and writes its line when it is done; `detail` makes the middle of the line from the result. */
  async part<T>(name: string, work: () => Promise<T>, detail: (result: T) => string): Promise<T> {
    const begun = performance.now();
    const result = await work();
    const ms = Math.round(performance.now() - begun);
    this.write(`  ${this.paint(32, '✓')} ${name.padEnd(12)} ${detail(result).padEnd(58)} ${String(ms).padStart(6)} ms`);
    return result;
  }

  /** A line that is neither a part nor a result. */
  note(text: string): void {
    this.write(`  ${this.paint(33, '·')} ${text}`);
  }

  line(text = ''): void {
    this.write(text === '' ? '' : `  ${text}`);
  }

  private paint(code: number, text: string): string {
    return this.colour ? `\u001b[${code}m${text}\u001b[0m` : text;
  }
}
