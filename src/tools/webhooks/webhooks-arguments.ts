import { instantOf } from '../../platform/http/input/instant.js';
import { CommandLine, type CommandShape } from '../command-line.js';
import type { ToolArguments } from '../operator-tool.js';
import { UsageError } from '../usage-error.js';

/** What the person at the terminal asked for. */
export type WebhooksCommand =
  | { name: 'list' }
  | { name: 'disable'; endpointId: string }
  /** `since` null: what has failed. */
  | { name: 'replay'; endpointId: string; since: Date | null }
  | { name: 'rotate-key'; isCompromised: boolean };

export const WEBHOOKS_USAGE = `Webhook endpoints, in the database (DATABASE_URL and APP_SECRET, or the local market beside it).

  npm run webhooks -- list                             the endpoints, those first that have failed longest
  npm run webhooks -- disable ENDPOINT_ID              sends it nothing more; its owner is told, and may enable it again
  npm run webhooks -- replay ENDPOINT_ID --since TIME  sends it everything since 2026-11-20T12:00:00Z again
  npm run webhooks -- replay ENDPOINT_ID --failed      sends it everything again that it did not take
  npm run webhooks -- rotate-key                       publishes a new key for all deliveries; it signs a day later
  npm run webhooks -- rotate-key --compromised         the same, at once; the key before is published no longer

  Of an address only the host is shown, because the rest may be a secret of the receiver.
  --json prints one JSON document. --data-dir FOLDER names the local market's folder (.tasktree).`;

const COMMANDS: Record<WebhooksCommand['name'], CommandShape> = {
  list: { operand: null, options: [] },
  disable: { operand: 'ENDPOINT_ID', options: [] },
  replay: { operand: 'ENDPOINT_ID', options: ['since', 'failed'] },
  'rotate-key': { operand: null, options: ['compromised'] },
};

const KINDS = { since: { type: 'string' }, failed: { type: 'boolean' }, compromised: { type: 'boolean' } } as const;

/** @throws UsageError on anything unknown, missing or out of range. */
export function parseWebhooksArguments(args: readonly string[]): ToolArguments<WebhooksCommand> {
  const line = CommandLine.read(args, KINDS, COMMANDS);
  const { name, json, dataDirectory } = line;
  if (name === null) return { command: { name: 'help' }, json, dataDirectory };
  return { command: commandOf(name, line), json, dataDirectory };
}

function commandOf(name: string, line: CommandLine): WebhooksCommand {
  if (name === 'disable') return { name, endpointId: line.operand };
  if (name === 'rotate-key') return { name, isCompromised: line.flag('compromised') };
  if (name !== 'replay') return { name: 'list' };
  if (line.flag('failed') === (line.text('since') !== null)) throw new UsageError('Name one of --since and --failed.');
  if (line.flag('failed')) return { name, endpointId: line.operand, since: null };
  const since = instantOf(line.required('since'));
  if (!since) throw new UsageError('--since is a time such as 2026-11-20T12:00:00Z.');
  return { name, endpointId: line.operand, since };
}
