import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DemoMismatch } from './step-reporter.js';

const PROGRAM = fileURLToPath(new URL('../../../../../libs/cli/dist/tasktree.js', import.meta.url));
const RATE_LIMITED = 7;
const ATTEMPTS = 6;

/** Those that have not ended: one that waits or watches would outlive a demo that a signal ends. */
const running = new Set<ChildProcessByStdio<null, Readable, Readable>>();
process.once('exit', () => {
  for (const child of running) child.kill();
});

/** What a command line has answered; JSON, because no terminal reads it. */
export interface Ended {
  exit: number | null;
  /** Its lines, or the members of the list that it has answered. */
  lines: unknown[];
  /** Of what it could not do: one line of JSON. */
  err: string;
}

/** Where command lines run. */
export interface Place {
  /** Working folder. */
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** A command line as a person would type it. */
export function commandLine(argv: readonly string[]): string {
  const words = argv.map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`,
  );
  return ['tasktree', ...words].join(' ');
}

/** A run of `tasktree`. */
export class Running {
  readonly ended: Promise<Ended>;
  private readonly child: ChildProcessByStdio<null, Readable, Readable>;
  private readonly firstLine: Promise<string>;

  /** @param heard is told each line of its output. */
  constructor(
    private readonly argv: readonly string[],
    { folder: cwd, env }: Place,
    heard: (line: string) => void = () => undefined,
  ) {
    this.child = spawn(process.execPath, [PROGRAM, ...argv], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(this.child);
    let [out, err] = ['', ''];
    const lines = createInterface({ input: this.child.stdout });
    lines.on('line', (line) => {
      out += `${line}\n`;
      heard(line);
    });
    this.firstLine = new Promise((resolve) => void lines.once('line', resolve));
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('close', (exit) => {
        running.delete(this.child);
        resolve({ exit, lines: linesOf(out), err });
      });
    });
  }

  /** Its first line as JSON. Throws DemoMismatch when it ends without one. */
  async first<T>(): Promise<T> {
    const line = await Promise.race([this.firstLine, this.ended.then(() => null)]);
    if (line === null) throw faultOf(this.argv, await this.ended);
    return JSON.parse(line) as T;
  }

  async stop(): Promise<void> {
    this.child.kill();
    await this.ended;
  }
}

/** Runs a command line to its end, again after a while where the market wants fewer requests. */
export async function ended(argv: readonly string[], place: Place): Promise<Ended> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await new Running(argv, place).ended;
    const isUnderWay = answer.lines.length > 0;
    if (answer.exit !== RATE_LIMITED || isUnderWay || attempt === ATTEMPTS) return answer;
    const [, seconds = 1] = /Again after (\d+) s/.exec(answer.err) ?? [];
    await sleep(Number(seconds) * 1000);
  }
}

/** What to say of a command line that has ended as it must not. */
export function faultOf(argv: readonly string[], { exit, err }: Ended): DemoMismatch {
  return new DemoMismatch(`${commandLine(argv)} ended with ${exit ?? 'a signal'}:\n${err.trim()}`);
}

function linesOf(out: string): unknown[] {
  try {
    return [JSON.parse(out) as unknown].flat();
  } catch {
    return out.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as unknown] : []));
  }
}
