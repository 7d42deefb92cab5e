/** Exit codes, for scripts. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  auth: 3,
  notFound: 4,
  conflict: 5,
  verification: 6,
  rateLimited: 7,
  declined: 8,
  expired: 9,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What a fault says to a person, and to a script. */
export interface Fault {
  readonly exit: ExitCode;
  /** What has happened. */
  readonly what: string;
  readonly why?: string | undefined;
  /** What the reader can do about it. */
  readonly advice?: string | undefined;
  /** Stable, for programs. */
  readonly code: string;
  /** Names the request in the log of the service. */
  readonly requestId?: string | undefined;
}

/** A fault that this program has found itself. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(readonly fault: Fault) {
    super(fault.what);
  }
}

/**
 * Something has gone wrong behind the preparation of an action. The action may have been signed and paid, so that its command
 * is not to be repeated.
 */
export class ActionUnderWay extends Error {
  override readonly name = 'ActionUnderWay';

  constructor(
    readonly actionId: string,
    override readonly cause: unknown,
  ) {
    super(`The action ${actionId} is under way`, { cause });
  }
}

/** The command was called in a way that it does not know. */
export function usageError(what: string, advice?: string): CliError {
  return new CliError({ exit: EXIT.usage, what, advice, code: 'usage' });
}
