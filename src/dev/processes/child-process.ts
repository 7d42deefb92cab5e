import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { LocalFault, messageOf } from './local-fault.js';
import { identityOf, isRunning, type ProcessIdentity } from './process-identity.js';

export interface ChildOptions {
  /** What it is, for sentences: "Postgres", "the chain", "the service". */
  name: string;
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Its output, kept to be read when something goes wrong; written anew at each start. */
  logFile: string;
  /** Who runs it, when not the current user. */
  user?: { uid: number; gid: number } | undefined;
  /** How it is asked to stop. */
  stopSignal: NodeJS.Signals;
}

/** How long a child may take to stop before it is killed. */
const STOP_GRACE_MS = 8_000;
/** How much of the newest output is kept in memory for sentences about a failure. */
const TAIL_CHARACTERS = 4_000;

/**
 * A part of the local market in a process of its own. It is started in its own process group, so that a Ctrl-C in the
 * terminal reaches only the market itself, which then stops its parts in the right order.
 */
export class MarketChild {
  readonly identity: ProcessIdentity;
  /** Settles when the process has ended. */
  readonly exited: Promise<void>;
  private readonly log: WriteStream;
  private recent = '';

  private constructor(
    readonly name: string,
    private readonly child: ChildProcess,
    pid: number,
    private readonly options: ChildOptions,
  ) {
    this.identity = identityOf(pid);
    this.log = createWriteStream(options.logFile, { mode: 0o600 });
    this.log.on('error', () => undefined);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.keep(text));
    }
    this.exited = new Promise((resolve) => child.once('close', () => resolve()));
  }

  /** Starts it. Throws LocalFault when the program cannot be run at all. */
  static async start(options: ChildOptions): Promise<MarketChild> {
    const child = spawn(options.command, options.args, {
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      ...options.user,
    });
    try {
      await once(child, 'spawn');
    } catch (error) {
      throw new LocalFault(`${options.name} could not be run (${options.command}): ${messageOf(error)}.`);
    }
    if (child.pid === undefined) throw new LocalFault(`${options.name} could not be run (${options.command}).`);
    return new MarketChild(options.name, child, child.pid, options);
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** True when it has ended with code 0. */
  get exitedWell(): boolean {
    return this.child.exitCode === 0;
  }

  /** The newest output. */
  get tail(): string {
    return this.recent;
  }

  get logFile(): string {
    return this.options.logFile;
  }

  /**
   * Waits until its output matches; gives the match. Rejects with LocalFault when the process ends before, or after
   * `withinMs` milliseconds.
   */
  output(pattern: RegExp, withinMs: number): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const settle = (action: () => void): void => {
        clearTimeout(timer);
        this.child.stdout?.off('data', look);
        this.child.stderr?.off('data', look);
        action();
      };
      // Not the tail alone: what is waited for may come in one piece with more text than the tail keeps.
      let said = this.recent;
      const look = (chunk = ''): void => {
        said += chunk;
        const match = pattern.exec(said);
        if (match) settle(() => resolve(match));
      };
      const timer = setTimeout(
        () => settle(() => reject(new LocalFault(`${this.name} was not ready within ${withinMs / 1000} s.`))),
        withinMs,
      );
      this.child.stdout?.on('data', look);
      this.child.stderr?.on('data', look);
      void this.exited.then(() => settle(() => reject(new LocalFault(`${this.name} stopped while it started.`))));
      look();
    });
  }

  /** Asks it to stop, kills it when it does not, and waits until it is gone. */
  async stop(): Promise<void> {
    if (this.isAlive) {
      this.child.kill(this.options.stopSignal);
      const kill = setTimeout(() => this.child.kill('SIGKILL'), STOP_GRACE_MS);
      await this.exited;
      clearTimeout(kill);
    }
    this.log.end();
  }

  private keep(text: string): void {
    this.recent = (this.recent + text).slice(-TAIL_CHARACTERS);
    this.log.write(text);
  }
}

/** Stops a process of an earlier run that is still there; gives true when there was one. */
export async function stopLeftover(identity: ProcessIdentity, signal: NodeJS.Signals): Promise<boolean> {
  if (!isRunning(identity)) return false;
  process.kill(identity.pid, signal);
  for (let waited = 0; waited < STOP_GRACE_MS; waited += 50) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (!isRunning(identity)) return true;
  }
  process.kill(identity.pid, 'SIGKILL');
  return true;
}
