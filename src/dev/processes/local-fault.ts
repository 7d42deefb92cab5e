/**
 * Why the local market cannot run, in words for the person at the keyboard: what happened, and what to do about it.
 * Shown without a stack; the process ends with 1.
 */
export class LocalFault extends Error {
  override readonly name = 'LocalFault';
}

/** The command was called with what it does not know; the sentence is followed by its usage, and the process ends with 2. */
export class CallFault extends LocalFault {
  constructor(sentence: string, usage: string) {
    super(`${sentence}\n\n${usage}`);
  }
}

/** What a process ends with after a fault. */
export function exitCodeOf(error: unknown): number {
  return error instanceof CallFault ? 2 : 1;
}

/** The operating system's code of an error (`EACCES`, `EADDRINUSE`, …), or an empty text. */
export function systemCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** What an unknown error says about itself, on one line. */
export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}
