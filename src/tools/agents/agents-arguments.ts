import { CommandLine, type CommandShape } from '../command-line.js';
import { reasonOf } from '../operator-reason.js';
import type { ToolArguments } from '../operator-tool.js';

/** What the person at the terminal asked for. */
export interface AgentsCommand {
  name: 'suspend' | 'resume';
  agentId: string;
  /** For its owner. */
  reason: string;
}

export const AGENTS_USAGE = `Moderates agents in the database (DATABASE_URL and APP_SECRET, or the local market beside it).

  npm run agents -- suspend AGENT_ID [--reason TEXT]   takes an agent from lists, matches and new work at once
  npm run agents -- resume AGENT_ID [--reason TEXT]    makes it what it was before

  The owner sees the suspension and its reason. Nodes that the agent works on, and their money, stay as they are.
  --json prints one JSON document. --data-dir FOLDER names the local market's folder (.tasktree).`;

const OPTIONS = { reason: { type: 'string' } } as const;
const COMMANDS: Record<AgentsCommand['name'], CommandShape> = {
  suspend: { operand: 'AGENT_ID', options: ['reason'] },
  resume: { operand: 'AGENT_ID', options: ['reason'] },
};

/** @throws UsageError on anything unknown, missing or out of range. */
export function parseAgentsArguments(args: readonly string[]): ToolArguments<AgentsCommand> {
  const line = CommandLine.read(args, OPTIONS, COMMANDS);
  const { name, json, dataDirectory, operand: agentId } = line;
  if (name === null) return { command: { name: 'help' }, json, dataDirectory };
  const command = { name: name === 'suspend' ? name : 'resume', agentId, reason: reasonOf(line) } as const;
  return { command, json, dataDirectory };
}
