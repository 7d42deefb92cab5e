import type { CommandLine } from './command-line.js';
import { UsageError } from './usage-error.js';

/** Characters. */
const MAX_REASON = 500;

/** Why the operator does it, in words for whom it is done to; empty when none are given. @throws UsageError for too many. */
export function reasonOf(line: CommandLine): string {
  const reason = line.text('reason')?.trim() ?? '';
  if (reason.length > MAX_REASON) throw new UsageError(`--reason has at most ${MAX_REASON} characters.`);
  return reason;
}
