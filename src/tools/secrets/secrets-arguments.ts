import { CommandLine, type CommandShape } from '../command-line.js';
import type { ToolArguments } from '../operator-tool.js';

/** What the person at the terminal asked for. */
export interface SecretsCommand {
  name: 'rotate' | 'status';
}

export const SECRETS_USAGE = `Makes everything that is stored independent of APP_SECRET_PREVIOUS (DATABASE_URL, APP_SECRET and APP_SECRET_PREVIOUS).

  npm run secrets -- rotate     seals anew under APP_SECRET what was sealed under a secret of before; says what is left
  npm run secrets -- status     says the same and changes nothing

  Both can be stopped and run again at any time, also while the service is running.
  --json prints one JSON document. --data-dir FOLDER names the local market's folder (.tasktree).`;

const COMMANDS: Record<SecretsCommand['name'], CommandShape> = {
  rotate: { operand: null, options: [] },
  status: { operand: null, options: [] },
};

/** @throws UsageError on anything unknown. */
export function parseSecretsArguments(args: readonly string[]): ToolArguments<SecretsCommand> {
  const { name, json, dataDirectory } = CommandLine.read(args, {}, COMMANDS);
  if (name === null) return { command: { name: 'help' }, json, dataDirectory };
  return { command: { name: name === 'rotate' ? name : 'status' }, json, dataDirectory };
}
