/**
 * Why the local market cannot run, in words for the person at the keyboard: what happened, and what to do about it.
 * Shown without a stack; the process ends with 1.
 */
export class LocalFault extends Error {
  override readonly name = 'LocalFault';
}

/** The operating system's code of an error (`EACCES`, `EADDRINUSE`, …), or an empty text. */
export function systemCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** What an unknown error says about itself, on one line. */
export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}
