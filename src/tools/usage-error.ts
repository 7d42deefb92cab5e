/** A fault in a command line or in what it names; its text is for the person who typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
