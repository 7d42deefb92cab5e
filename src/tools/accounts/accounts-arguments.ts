import { CommandLine, type CommandShape } from '../command-line.js';
import type { ToolArguments } from '../operator-tool.js';
import { UsageError } from '../usage-error.js';

/** What the person at the terminal asked for. */
export type AccountsCommand =
  | { name: 'list'; after: string | null; limit: number }
  | { name: 'show'; account: string }
  | { name: 'suspend'; account: string; reason: string }
  | { name: 'resume'; account: string; reason: string };

export const ACCOUNTS_USAGE = `Administers accounts in the database (DATABASE_URL and APP_SECRET, or the local market beside it).

  npm run accounts -- list [--after ACCOUNT_ID] [--limit N]   oldest first, 100 of them
  npm run accounts -- show NAME|ID                            one, and how much hangs on it
  npm run accounts -- suspend NAME|ID [--reason TEXT]         stops its keys, tokens and sessions at once
  npm run accounts -- resume NAME|ID [--reason TEXT]          lets its keys and tokens work again

  A suspended account's money stays where it is: whoever has the wallet can always withdraw on the chain.
  --json prints one JSON document. --data-dir FOLDER names the local market's folder (.tasktree).`;

const OPTIONS = { after: { type: 'string' }, limit: { type: 'string' }, reason: { type: 'string' } } as const;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 10_000;
/** Characters. */
const MAX_REASON = 500;

const COMMANDS: Record<AccountsCommand['name'], CommandShape> = {
  list: { operand: null, options: ['after', 'limit'] },
  show: { operand: 'NAME|ID', options: [] },
  suspend: { operand: 'NAME|ID', options: ['reason'] },
  resume: { operand: 'NAME|ID', options: ['reason'] },
};

/** @throws UsageError on anything unknown, missing or out of range. */
export function parseAccountsArguments(args: readonly string[]): ToolArguments<AccountsCommand> {
  const line = CommandLine.read(args, OPTIONS, COMMANDS);
  const { name, json, dataDirectory } = line;
  return { command: name === null ? { name: 'help' } : commandOf(name, line), json, dataDirectory };
}

function commandOf(name: string, line: CommandLine): AccountsCommand {
  switch (name) {
    case 'list':
      return { name, after: line.text('after'), limit: limitOf(line) };
    case 'suspend':
    case 'resume':
      return { name, account: line.operand, reason: reasonOf(line) };
    default:
      return { name: 'show', account: line.operand };
  }
}

function limitOf(line: CommandLine): number {
  const limit = line.whole('limit') ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) throw new UsageError(`--limit must be from 1 to ${MAX_LIMIT}.`);
  return limit;
}

function reasonOf(line: CommandLine): string {
  const reason = line.text('reason')?.trim() ?? '';
  if (reason.length > MAX_REASON) throw new UsageError(`--reason has at most ${MAX_REASON} characters.`);
  return reason;
}
