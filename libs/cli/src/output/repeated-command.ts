import { shellText } from './shell-text.js';

const OPTION = '--idempotency-key';

/** The command line that repeats the call of this one under its key, as the same call. */
export function repeatedCommand(argv: readonly string[], key: string): string {
  const rest = argv.filter((word, at) => word !== OPTION && argv[at - 1] !== OPTION && !word.startsWith(`${OPTION}=`));
  return ['tasktree', ...rest, OPTION, key].map(shellText).join(' ');
}
