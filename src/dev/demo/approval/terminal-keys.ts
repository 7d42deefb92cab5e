import type { ReadStream } from 'node:tty';

/** The character of Ctrl-C, which a terminal in raw mode does not turn into a signal. */
export const INTERRUPT = '\u0003';

/** Keys that are pressed at a terminal, one at a time and without Enter. */
export class TerminalKeys {
  private last: string | null = null;

  private constructor(private readonly input: ReadStream) {}

  static listen(input: ReadStream): TerminalKeys {
    const keys = new TerminalKeys(input);
    input.setRawMode(true);
    input.setEncoding('utf8');
    input.on('data', keys.take);
    input.resume();
    return keys;
  }

  /** Returns the last key pressed since the previous call; null when there was none. */
  pressed(): string | null {
    const key = this.last;
    this.last = null;
    return key;
  }

  /** Takes the terminal out of raw mode and stops reading from it. */
  close(): void {
    this.input.off('data', this.take);
    this.input.setRawMode(false);
    this.input.pause();
  }

  private readonly take = (text: string | Buffer): void => {
    this.last = String(text).slice(0, 1).toLowerCase();
  };
}
