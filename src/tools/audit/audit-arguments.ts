import { CommandLine, type CommandShape } from '../command-line.js';
import type { ToolArguments } from '../operator-tool.js';

/** What the person at the terminal asked for. */
export type AuditCommand = ExportCommand | ArchiveCommand;

export interface ExportCommand {
  name: 'export';
  /** Id of the last event that is there already; null = from the beginning. */
  after: string | null;
  account: string | null;
}

export interface ArchiveCommand {
  name: 'archive';
  /** Where the files go. */
  folder: string;
}

export const AUDIT_USAGE = `Reads the audit in the database (DATABASE_URL and APP_SECRET, or the local market beside it).

  npm run --silent audit -- export [--after EVENT_ID] [--account NAME|ID]   all events, oldest first, one JSON object a line
  npm run audit -- archive --to FOLDER [--json]   the months that are older than AUDIT_RETENTION_DAYS, each a file; drops their tables

  The event_id of the last line, given as --after, goes on where an export ended. The export itself is in the audit.
  --data-dir FOLDER names the local market's folder (.tasktree).`;

const OPTIONS = { after: { type: 'string' }, account: { type: 'string' }, to: { type: 'string' } } as const;
const COMMANDS: Record<AuditCommand['name'], CommandShape> = {
  export: { operand: null, options: ['after', 'account'] },
  archive: { operand: null, options: ['to'] },
};

/** @throws UsageError on anything unknown. */
export function parseAuditArguments(args: readonly string[]): ToolArguments<AuditCommand> {
  const line = CommandLine.read(args, OPTIONS, COMMANDS);
  const { name, json, dataDirectory } = line;
  if (name === null) return { command: { name: 'help' }, json: false, dataDirectory };
  if (name === 'archive') return { command: { name, folder: line.required('to') }, json, dataDirectory };
  const command = { name: 'export' as const, after: line.text('after'), account: line.text('account') };
  return { command, json: false, dataDirectory };
}
