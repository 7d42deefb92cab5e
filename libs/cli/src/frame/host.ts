import type { Fetch } from '#libs/sdk';
import type { TextSink } from '../output/output.js';

/** What this program needs of its process, so that commands run in tests without one. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Without the program's name. */
  readonly argv: readonly string[];
  readonly out: TextSink;
  readonly err: TextSink;
  /** True: a person can answer questions. */
  readonly canAsk: boolean;
  readonly fetch: Fetch;
  /** Waits between the attempts of a request, for tests; absent: really. */
  readonly pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Is aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Of this program. */
  readonly version: string;
  readStdin(): Promise<Buffer>;
  /** Shows an address in the person's browser; does nothing where there is none. */
  openUrl(url: string): void;
}
