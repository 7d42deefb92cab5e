import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A child process, with everything it has printed and how it ended. */
export class ObservedProcess {
  output = '';
  readonly ended: Promise<number | null>;

  private constructor(readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    this.ended = new Promise((resolve) => child.once('close', (code) => resolve(code)));
  }

  /** Runs `node` with only these environment variables. */
  static node(args: readonly string[], env: Record<string, string> = {}): ObservedProcess {
    return new ObservedProcess(
      spawn(process.execPath, args, {
        env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  }

  /** Observes a process from now on. */
  static of(child: ChildProcess): ObservedProcess {
    return new ObservedProcess(child);
  }

  /** Waits until the process has printed the text. @throws when it ends before. */
  async says(text: string): Promise<void> {
    let isOver = false;
    void this.ended.then(() => (isOver = true));
    while (!this.output.includes(text)) {
      if (isOver) throw new Error(`It ended before it said "${text}":\n${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  /** Sends the signal and waits for the end. @returns the exit code. */
  async stop(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal);
    return this.ended;
  }
}

/** Command lines of running processes that contain the folder (Linux). */
export function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line.includes(folder) ? [line] : [];
      } catch {
        return [];
      }
    });
}
