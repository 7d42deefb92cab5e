import { DataSource } from 'typeorm';
import { entities } from '../entities.js';
import { migrations } from '../migrations.js';
import type { Environment } from '../platform/config/environment.js';
import { EnvironmentError } from '../platform/config/load-environment.js';
import { dataSourceOptions } from '../platform/database/data-source.options.js';
import { unreachableDatabase } from '../platform/database/unreachable-database.js';
import { ApiError } from '../platform/http/api-error.js';
import { operatorTarget } from './operator-target.js';
import { UsageError } from './usage-error.js';

/** What the person at the terminal asked for. */
export interface ToolArguments<Command> {
  command: Command | { name: 'help' };
  /** One JSON document on the standard output instead of text. */
  json: boolean;
  /** Folder of the local market, which is used when DATABASE_URL is not set. */
  dataDirectory: string;
}

/** What a command did: data for programs, lines for people. */
export interface ToolResult {
  json: unknown;
  lines: string[];
}

/** A tool with which the operator works on the database; there is no administration over HTTP. */
interface OperatorTool<Command extends { name: string }> {
  usage: string;
  /** Throws UsageError on anything unknown, missing or out of range. */
  parse(args: readonly string[]): ToolArguments<Command>;
  /** Throws ApiError with a sentence for the person at the terminal. */
  run(command: Command, dataSource: DataSource, environment: Environment): Promise<ToolResult>;
}

/** Said below every secret that is shown. */
export const KEEP_SECRETS = 'Keep these now: they are not shown again.';

const FAILED = 1;
/** Exit code of a wrong call, as of a shell's own commands. */
const CALLED_WRONGLY = 2;

/** Runs one command. What goes wrong is a sentence on the standard error: exit code 1, or 2 with the usage for a wrong call. */
export async function runOperatorTool<Command extends { name: string }>(
  tool: OperatorTool<Command>,
  args: readonly string[],
): Promise<void> {
  try {
    print(await answer(tool, args));
  } catch (error) {
    process.stderr.write(`${explain(error, tool.usage)}\n`);
    process.exitCode = error instanceof UsageError ? CALLED_WRONGLY : FAILED;
  }
}

async function answer<Command extends { name: string }>(
  tool: OperatorTool<Command>,
  args: readonly string[],
): Promise<readonly string[]> {
  const { command, json, dataDirectory } = tool.parse(args);
  if (isHelp(command)) return [tool.usage];
  const environment = operatorTarget(dataDirectory);
  const dataSource = new DataSource(dataSourceOptions(environment.databaseUrl, { entities, migrations }, 2));
  await dataSource.initialize();
  try {
    const result = await tool.run(command, dataSource, environment);
    return json ? [JSON.stringify(result.json, null, 2)] : result.lines;
  } finally {
    await dataSource.destroy();
  }
}

function isHelp(command: { name: string }): command is { name: 'help' } {
  return command.name === 'help';
}

function print(lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
}

/** A sentence for everything that can be expected to go wrong. */
function explain(error: unknown, usage: string): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  if (error instanceof ApiError) return [error.reason, error.suggestion].filter(Boolean).join(' ');
  if (error instanceof EnvironmentError) return error.message;
  const unreachable = unreachableDatabase(error);
  if (unreachable !== null) return `${unreachable} Is the service (or \`npm start\`) running?`;
  const { code } = error instanceof Error && 'code' in error ? error : { code: undefined };
  if (code === '42P01') return 'The database has no tables yet: run the migrations first.';
  return error instanceof Error ? error.message : String(error);
}
