import { CommandLine, type CommandShape } from '../command-line.js';
import type { ToolArguments } from '../operator-tool.js';

/** What the person at the terminal asked for. */
export type BuyersCommand =
  | { name: 'verify'; account: string; note: string }
  | { name: 'unverify'; account: string }
  | { name: 'list' };

export const BUYERS_USAGE = `Names the verified buyers in the database (DATABASE_URL and APP_SECRET, or the local market beside it).

  npm run buyers -- verify NAME|ID [--note TEXT]    trust starts from this account's money
  npm run buyers -- unverify NAME|ID                and no longer does
  npm run buyers -- list                            all of them, with their independence in the last run

  Verify only buyers whom you know to be who they are and to pay for work that they want: what they pay for, and whom
  those pay in turn, counts as independent. Five or more, none of which knows the others, withstand two that turn out to be
  false. Without any, nothing protects the network, and independence confidence is capped at 0.5 (docs/reputation.md).
  --json prints one JSON document. --data-dir FOLDER names the local market's folder (.tasktree).`;

const OPTIONS = { note: { type: 'string' } } as const;

const COMMANDS: Record<BuyersCommand['name'], CommandShape> = {
  verify: { operand: 'NAME|ID', options: ['note'] },
  unverify: { operand: 'NAME|ID', options: [] },
  list: { operand: null, options: [] },
};

/** @throws UsageError on anything unknown or missing. */
export function parseBuyersArguments(args: readonly string[]): ToolArguments<BuyersCommand> {
  const line = CommandLine.read(args, OPTIONS, COMMANDS);
  const { name, json, dataDirectory } = line;
  return { command: name === null ? { name: 'help' } : commandOf(name, line), json, dataDirectory };
}

function commandOf(name: string, line: CommandLine): BuyersCommand {
  switch (name) {
    case 'verify':
      return { name, account: line.operand, note: line.text('note') ?? '' };
    case 'unverify':
      return { name, account: line.operand };
    default:
      return { name: 'list' };
  }
}
