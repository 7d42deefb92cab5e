import { CommandLine, type CommandShape } from '../command-line.js';
import type { ToolArguments } from '../operator-tool.js';

/** What the person at the terminal asked for. */
export type TreesCommand = { name: 'list' } | { name: 'retry'; taskId: string };

export const TREES_USAGE = `Trees whose facts are in the index and not yet in what is shown, in the database (DATABASE_URL and APP_SECRET, or the
local market beside it).

  npm run trees -- list            the trees that could not be projected, each with its reason, and how many wait their turn
  npm run trees -- retry TASK_ID   has the running indexer try that tree again at once
  npm run trees -- retry all       the same for every tree that is set aside

  A tree that is set aside is shown as it was before; all others go on. It is tried again by itself, with growing pauses and
  with its next fact.
  --json prints one JSON document. --data-dir FOLDER names the local market's folder (.tasktree).`;

const COMMANDS: Record<TreesCommand['name'], CommandShape> = {
  list: { operand: null, options: [] },
  retry: { operand: 'TASK_ID', options: [] },
};

/** @throws UsageError on anything unknown, missing or out of range. */
export function parseTreesArguments(args: readonly string[]): ToolArguments<TreesCommand> {
  const { name, json, dataDirectory, operand: taskId } = CommandLine.read(args, {}, COMMANDS);
  if (name === null) return { command: { name: 'help' }, json, dataDirectory };
  return { command: name === 'retry' ? { name, taskId } : { name: 'list' }, json, dataDirectory };
}
