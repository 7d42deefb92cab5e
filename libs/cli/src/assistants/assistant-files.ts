import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CliError, EXIT } from '../output/cli-error.js';
import { replaceFile } from '../profile/replace-file.js';

/** How an assistant is told to start this program; nothing in it is secret. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
}

/** An assistant, and its file of the person's own, which is no project's. */
export interface Assistant {
  readonly name: string;
  readonly file: (home: string) => string;
  /** The text of the file with the entry in it. Throws SyntaxError where the text is not understood. */
  readonly with: (text: string, entry: ServerEntry) => string;
}

const NAME = 'tasktree';
const OWNER_ONLY = 0o600;
const PERMISSIONS = 0o777;
/** Our own table in TOML: blank lines and comments are its own only where another line of it follows them. */
const OWN_TABLE = new RegExp(
  `^\\[mcp_servers\\.${NAME}\\][^\\n]*(?:(?:\\n[ \\t]*(?:#[^\\n]*|\\r)?)*\\n(?![ \\t]*(?:[[#\\r\\n]|$))[^\\n]*)*\\n?`,
  'm',
);

export const ASSISTANTS = {
  'claude-code': { name: 'Claude Code', file: (home) => join(home, '.claude.json'), with: inJson },
  codex: { name: 'Codex', file: (home) => join(home, '.codex/config.toml'), with: inToml },
  cursor: { name: 'Cursor', file: (home) => join(home, '.cursor/mcp.json'), with: inJson },
} as const satisfies Readonly<Record<string, Assistant>>;
export type AssistantName = keyof typeof ASSISTANTS;

/** The text of a file; empty where there is none. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return '';
    throw error;
  }
}

/** The text with the entry. Throws CliError where what is there is not understood, which is then left alone. */
export function changed(assistant: Assistant, file: string, entry: ServerEntry): string {
  try {
    return assistant.with(textOf(file), entry);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CliError({
      exit: EXIT.failed,
      what: `${file} is not understood, and was left as it is.`,
      why: error.message,
      advice: 'Add by hand what this prints: tasktree agent setup --print',
      code: 'file_not_understood',
    });
  }
}

/** Replaces a file of the person's own: a link to it stays one, as in a folder of such files, and its mode stays too. */
export function replaceSettings(file: string, text: string): void {
  const there = statSync(file, { throwIfNoEntry: false });
  if (there === undefined) replaceFile(file, text, OWNER_ONLY);
  else replaceFile(realpathSync(file), text, there.mode & PERMISSIONS);
}

function inJson(text: string, { command, args }: ServerEntry): string {
  const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new SyntaxError('It is no object.');
  const { mcpServers = {} } = value as { mcpServers?: object };
  const servers = { ...mcpServers, [NAME]: { type: 'stdio', command, args } };
  return `${JSON.stringify({ ...value, mcpServers: servers }, null, 2)}\n`;
}

/** Replaces our own table and leaves every other line as it is. */
function inToml(text: string, { command, args }: ServerEntry): string {
  const table = `[mcp_servers.${NAME}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
  if (OWN_TABLE.test(text)) return text.replace(OWN_TABLE, () => table);
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${before}${before === '' ? '' : '\n'}${table}`;
}
