import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { LocalFault, messageOf } from './local-fault.js';
import { identityOf, isRunning, type ProcessIdentity } from './process-identity.js';

export interface ChildOptions {
  /** Subject of error messages: "Postgres", "The chain (anvil)". */
  name: string;
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** File that gets the child's output, for finding a failure. Each start overwrites it. */
  logFile: string;
  /** The user and group that the child runs as; absent: the current user. */
  user?: { uid: number; gid: number } | undefined;
  /** Signal that asks the child to stop. */
  stopSignal: NodeJS.Signals;
}

/** How long a child may take to stop before it is killed. */
const STOP_GRACE_MS = 8_000;
/** Length of the newest output that is kept in memory for error messages. */
const TAIL_CHARACTERS = 4_000;

/**
 * A part of the local market that runs as a child process. Each child has its own process group, so that Ctrl-C in the
 * terminal reaches only the market's own process, which then stops the children in the right order.
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

  /** Starts the child. Throws LocalFault when the program cannot be run. */
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

  /** True when the process has ended with exit code 0. */
  get exitedWell(): boolean {
    return this.child.exitCode === 0;
  }

  /** The newest output, at most TAIL_CHARACTERS of it. */
  get tail(): string {
    return this.recent;
  }

  get logFile(): string {
    return this.options.logFile;
  }

  /**
   * Waits until the child's output matches and returns the match. Rejects with LocalFault when the process ends first
   * or when `withinMs` milliseconds have passed.
   */
  output(pattern: RegExp, withinMs: number): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const settle = (action: () => void): void => {
        clearTimeout(timer);
        this.child.stdout?.off('data', look);
        this.child.stderr?.off('data', look);
        action();
      };
      // Collects all output from now on, because one piece may hold the match and more text than the tail keeps.
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

  /** Asks the child to stop, kills it after STOP_GRACE_MS, and waits until it has ended. */
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

/** Stops a process that an earlier run has left behind. Returns true when the process was still running. */
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
