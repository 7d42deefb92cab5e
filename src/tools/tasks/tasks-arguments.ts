import { CommandLine, type CommandShape } from '../command-line.js';
import { reasonOf } from '../operator-reason.js';
import type { ToolArguments } from '../operator-tool.js';

/** What the person at the terminal asked for. */
export interface TasksCommand {
  name: 'hide' | 'show';
  taskId: string;
  /** For its buyer. */
  reason: string;
}

export const TASKS_USAGE = `Moderates tasks in the database (DATABASE_URL and APP_SECRET, or the local market beside it).

  npm run tasks -- hide TASK_ID [--reason TEXT]   takes a task from the lists and pages of everybody but its parties
  npm run tasks -- show TASK_ID [--reason TEXT]   shows it to everybody again

  The buyer and all who are invited, have made an offer, hire or work keep it and can do all they could; its money is on
  the chain and stays there. The buyer is told, with the reason.
  --json prints one JSON document. --data-dir FOLDER names the local market's folder (.tasktree).`;

const OPTIONS = { reason: { type: 'string' } } as const;
const COMMANDS: Record<TasksCommand['name'], CommandShape> = {
  hide: { operand: 'TASK_ID', options: ['reason'] },
  show: { operand: 'TASK_ID', options: ['reason'] },
};

/** @throws UsageError on anything unknown, missing or out of range. */
export function parseTasksArguments(args: readonly string[]): ToolArguments<TasksCommand> {
  const line = CommandLine.read(args, OPTIONS, COMMANDS);
  const { name, json, dataDirectory, operand: taskId } = line;
  if (name === null) return { command: { name: 'help' }, json, dataDirectory };
  const command = { name: name === 'hide' ? name : 'show', taskId, reason: reasonOf(line) } as const;
  return { command, json, dataDirectory };
}
