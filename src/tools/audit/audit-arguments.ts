import { CommandLine, type CommandShape } from '../command-line.js';
import type { ToolArguments } from '../operator-tool.js';

/** What the person at the terminal asked for. */
export interface AuditCommand {
  name: 'export';
  /** Id of the last event that is there already; null = from the beginning. */
  after: string | null;
  account: string | null;
}

export const AUDIT_USAGE = `Reads the audit in the database (DATABASE_URL and APP_SECRET, or the local market beside it).

  npm run --silent audit -- export [--after EVENT_ID] [--account NAME|ID]   all events, oldest first, one JSON object a line

  The event_id of the last line, given as --after, goes on where an export ended. The export itself is in the audit.
  --data-dir FOLDER names the local market's folder (.tasktree).`;

const OPTIONS = { after: { type: 'string' }, account: { type: 'string' } } as const;
const COMMANDS: Record<AuditCommand['name'], CommandShape> = {
  export: { operand: null, options: ['after', 'account'] },
};

/** @throws UsageError on anything unknown. */
export function parseAuditArguments(args: readonly string[]): ToolArguments<AuditCommand> {
  const line = CommandLine.read(args, OPTIONS, COMMANDS);
  const { name, dataDirectory } = line;
  const command = { name: 'export' as const, after: line.text('after'), account: line.text('account') };
  return { command: name === null ? { name: 'help' } : command, json: false, dataDirectory };
}
