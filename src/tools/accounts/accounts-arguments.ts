import { CommandLine, type CommandShape } from '../command-line.js';
import { reasonOf } from '../operator-reason.js';
import type { ToolArguments } from '../operator-tool.js';
import { UsageError } from '../usage-error.js';

/** What the person at the terminal asked for. */
export type AccountsCommand =
  | { name: 'list'; after: string | null; limit: number }
  | { name: 'show'; account: string }
  | { name: 'suspend'; account: string; reason: string }
  | { name: 'resume'; account: string; reason: string }
  | { name: 'export'; account: string; file: string | null }
  | { name: 'erase'; account: string };

export const ACCOUNTS_USAGE = `Administers accounts in the database (DATABASE_URL and APP_SECRET, or the local market beside it).

  npm run accounts -- list [--after ACCOUNT_ID] [--limit N]   oldest first, 100 of them
  npm run accounts -- show NAME|ID                            one, and how much hangs on it
  npm run accounts -- suspend NAME|ID [--reason TEXT]         stops its keys, tokens and sessions at once
  npm run accounts -- resume NAME|ID [--reason TEXT]          lets its keys and tokens work again
  npm run --silent accounts -- export NAME|ID [--file PATH]   all that is stored about it, one JSON object a line
  npm run accounts -- erase NAME|ID --yes                     erases its personal data for good; it must be suspended

  An export holds no secret of a key, link or session. Erasing takes names, texts, wallets, keys, sessions, applications,
  links and artifacts that were not delivered; it says what stays for the books of others, and why. It is refused while
  the account is a party to a task, node, offer or balance that is not at its end.
  A suspended account's money stays where it is: whoever has the wallet can always withdraw on the chain.
  --json prints one JSON document. --data-dir FOLDER names the local market's folder (.tasktree).`;

const OPTIONS = {
  after: { type: 'string' },
  limit: { type: 'string' },
  reason: { type: 'string' },
  file: { type: 'string' },
  yes: { type: 'boolean' },
} as const;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 10_000;

const COMMANDS: Record<AccountsCommand['name'], CommandShape> = {
  list: { operand: null, options: ['after', 'limit'] },
  show: { operand: 'NAME|ID', options: [] },
  suspend: { operand: 'NAME|ID', options: ['reason'] },
  resume: { operand: 'NAME|ID', options: ['reason'] },
  export: { operand: 'NAME|ID', options: ['file'] },
  erase: { operand: 'NAME|ID', options: ['yes'] },
};

/** @throws UsageError on anything unknown, missing or out of range. */
export function parseAccountsArguments(args: readonly string[]): ToolArguments<AccountsCommand> {
  const line = CommandLine.read(args, OPTIONS, COMMANDS);
  const { name, dataDirectory } = line;
  const command = name === null ? ({ name: 'help' } as const) : commandOf(name, line);
  // An export to the standard output is JSON by itself.
  const json = line.json && !(command.name === 'export' && command.file === null);
  return { command, json, dataDirectory };
}

function commandOf(name: string, line: CommandLine): AccountsCommand {
  switch (name) {
    case 'list':
      return { name, after: line.text('after'), limit: limitOf(line) };
    case 'suspend':
    case 'resume':
      return { name, account: line.operand, reason: reasonOf(line) };
    case 'export':
      return { name, account: line.operand, file: line.text('file') };
    case 'erase':
      // Without this flag, somebody could erase by a word left over from the command before.
      if (!line.flag('yes')) throw new UsageError('Erasing cannot be undone: --yes is missing.');
      return { name, account: line.operand };
    default:
      return { name: 'show', account: line.operand };
  }
}

function limitOf(line: CommandLine): number {
  const limit = line.whole('limit') ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) throw new UsageError(`--limit must be from 1 to ${MAX_LIMIT}.`);
  return limit;
}
