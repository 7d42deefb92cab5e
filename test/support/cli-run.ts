import type { Fetch } from '../../libs/sdk/src/index.js';
import type { Host } from '../../libs/cli/src/frame/host.js';
import { runProgram } from '../../libs/cli/src/program.js';

/** What a command line has answered. */
export interface CliAnswer {
  exit: number;
  out: string;
  err: string;
  /** Addresses that it has opened in the browser. */
  opened: string[];
}

export interface CliRun {
  /** What is asked of a market; absent: nobody answers. */
  fetch?: Fetch;
  env?: Record<string, string>;
  stdin?: string | Buffer;
  /** True: a person reads the answers in a terminal without colours. */
  isTTY?: boolean;
  now?: () => number;
  /** Ctrl-C. */
  signal?: AbortSignal;
  /** Is told all of the output so far, whenever there is more. */
  said?: (out: string) => void;
  /** Is told all of the notes and faults so far, whenever there is more. */
  warned?: (err: string) => void;
  /** Waits between the attempts of a request. */
  pause?: () => Promise<void>;
}

/** Runs one command line in this process. `XDG_CONFIG_HOME` should be a folder of the test. */
export async function runCli(argv: readonly string[], run: CliRun = {}): Promise<CliAnswer> {
  const answer: CliAnswer = { exit: 0, out: '', err: '', opened: [] };
  const { isTTY = false, fetch = nobody, now = Date.now } = run;
  const host: Host = {
    env: { NO_COLOR: '1', ...run.env },
    argv,
    out: {
      isTTY,
      columns: 100,
      write: (text) => {
        answer.out += text;
        run.said?.(answer.out);
      },
    },
    err: {
      isTTY,
      columns: 100,
      write: (text) => {
        answer.err += text;
        run.warned?.(answer.err);
      },
    },
    canAsk: false,
    fetch,
    pause: run.pause,
    signal: run.signal ?? new AbortController().signal,
    now,
    version: '1.2.3',
    readStdin: async () => Buffer.from(run.stdin ?? ''),
    openUrl: (url) => void answer.opened.push(url),
  };
  answer.exit = await runProgram(host);
  return answer;
}

async function nobody(): Promise<Response> {
  throw new TypeError('fetch failed');
}
