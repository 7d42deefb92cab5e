/**
 * An error whose message is for the user: what happened and what to do about it. It is shown without a stack, and the
 * process exits with 1.
 */
export class LocalFault extends Error {
  override readonly name = 'LocalFault';
}

/** The command line is wrong. The usage is added to the sentence, and the process exits with 2. */
export class CallFault extends LocalFault {
  constructor(sentence: string, usage: string) {
    super(`${sentence}\n\n${usage}`);
  }
}

/** Exit code after an error. */
export function exitCodeOf(error: unknown): number {
  return error instanceof CallFault ? 2 : 1;
}

/** The error's `code` (`EACCES`, `EADDRINUSE`, …), or an empty string. */
export function systemCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** The first line of an error's message. */
export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}
