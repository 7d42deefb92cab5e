import type { CommandLine } from './command-line.js';
import { UsageError } from './usage-error.js';

/** Most characters of a reason. */
const MAX_REASON = 500;

/**
 * The operator's reason, in words for the person concerned; empty when none is given.
 * @throws UsageError when it is too long.
 */
export function reasonOf(line: CommandLine): string {
  const reason = line.text('reason')?.trim() ?? '';
  if (reason.length > MAX_REASON) throw new UsageError(`--reason has at most ${MAX_REASON} characters.`);
  return reason;
}
