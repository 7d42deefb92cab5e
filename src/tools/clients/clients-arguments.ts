import { ACCESS_TOKEN_SECONDS } from '../../modules/oauth/registration/client-settings.js';
import { CLIENT_AUTH_METHODS, type ClientAuthMethod } from '../../modules/oauth/registration/new-client.js';
import { CommandLine, type CommandShape } from '../command-line.js';
import type { ToolArguments } from '../operator-tool.js';
import { UsageError } from '../usage-error.js';

/** An application to register, as it was typed. */
export interface CreateClient {
  name: 'create';
  clientName: string;
  redirectUris: string[];
  authMethod: ClientAuthMethod;
  /** File with a JSON Web Key Set; null = none. */
  jwksFile: string | null;
  isGateway: boolean;
  isFapi2: boolean;
}

/** What the person at the terminal asked for. */
export type ClientsCommand =
  | CreateClient
  | { name: 'list' }
  | { name: 'remove'; clientId: string }
  | { name: 'rotate-secret'; clientId: string }
  | { name: 'set'; clientId: string; accessTokenSeconds: number | null }
  | { name: 'grants'; account: string | null }
  | { name: 'revoke-grant'; grantId: string }
  | { name: 'rotate-signing-key' }
  | { name: 'audit'; account: string | null; event: string | null; limit: number };

export const CLIENTS_USAGE = `Administers OAuth applications in the database (DATABASE_URL and APP_SECRET, or the local market beside it).

  npm run clients -- create --name TEXT --redirect URI [--redirect URI …] [--auth METHOD] [--jwks FILE] [--gateway] [--fapi2]
  npm run clients -- list                              all applications, also those that registered themselves
  npm run clients -- remove CLIENT_ID                  removes one and revokes all its grants at once
  npm run clients -- rotate-secret CLIENT_ID           a new secret; the old one ends at once
  npm run clients -- set CLIENT_ID --access-token-seconds N|default            how long its access tokens last from now on
  npm run clients -- grants [--account NAME|ID]        what people allowed
  npm run clients -- revoke-grant GRANT_ID             ends one grant and its tokens at once
  npm run clients -- rotate-signing-key                publishes a new key, which signs a quarter of an hour later
  npm run clients -- audit [--account NAME|ID] [--event NAME] [--limit N]     the newest events (50)

  METHOD is one of ${CLIENT_AUTH_METHODS.join(', ')}; without --auth it is none,
  and client_secret_basic for a gateway, which cannot be without a secret or a key.
  --jwks names a file with the public keys for private_key_jwt. --gateway lets it ask about tokens (RFC 7662); then it
  needs no --redirect. --fapi2 demands the FAPI 2.0 profile of it.
  N is 60 to 86400 (a day), for an application that does not refresh its tokens; default: OAUTH_ACCESS_TOKEN_SECONDS.
  --json prints one JSON document. --data-dir FOLDER names the local market's folder (.tasktree).`;

const OPTIONS = {
  name: { type: 'string' },
  redirect: { type: 'string', multiple: true },
  auth: { type: 'string' },
  jwks: { type: 'string' },
  gateway: { type: 'boolean' },
  fapi2: { type: 'boolean' },
  'access-token-seconds': { type: 'string' },
  account: { type: 'string' },
  event: { type: 'string' },
  limit: { type: 'string' },
} as const;

const COMMANDS: Record<ClientsCommand['name'], CommandShape> = {
  create: { operand: null, options: ['name', 'redirect', 'auth', 'jwks', 'gateway', 'fapi2'] },
  list: { operand: null, options: [] },
  remove: { operand: 'CLIENT_ID', options: [] },
  'rotate-secret': { operand: 'CLIENT_ID', options: [] },
  set: { operand: 'CLIENT_ID', options: ['access-token-seconds'] },
  grants: { operand: null, options: ['account'] },
  'revoke-grant': { operand: 'GRANT_ID', options: [] },
  'rotate-signing-key': { operand: null, options: [] },
  audit: { operand: null, options: ['account', 'event', 'limit'] },
};

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 10_000;

/** @throws UsageError on anything unknown, missing or out of range. */
export function parseClientsArguments(args: readonly string[]): ToolArguments<ClientsCommand> {
  const line = CommandLine.read(args, OPTIONS, COMMANDS);
  const { name, json, dataDirectory } = line;
  return { command: name === null ? { name: 'help' } : commandOf(name, line), json, dataDirectory };
}

function commandOf(name: string, line: CommandLine): ClientsCommand {
  switch (name) {
    case 'create':
      return createOf(line);
    case 'remove':
    case 'rotate-secret':
      return { name, clientId: line.operand };
    case 'set':
      return { name, clientId: line.operand, accessTokenSeconds: secondsOf(line) };
    case 'grants':
      return { name, account: line.text('account') };
    case 'revoke-grant':
      return { name, grantId: line.operand };
    case 'rotate-signing-key':
      return { name };
    case 'audit':
      return { name, account: line.text('account'), event: line.text('event'), limit: limitOf(line) };
    default:
      return { name: 'list' };
  }
}

function createOf(line: CommandLine): CreateClient {
  const isGateway = line.flag('gateway');
  return {
    name: 'create',
    clientName: line.required('name'),
    redirectUris: line.texts('redirect'),
    authMethod: methodOf(line.text('auth') ?? (isGateway ? 'client_secret_basic' : 'none')),
    jwksFile: line.text('jwks'),
    isGateway,
    isFapi2: line.flag('fapi2'),
  };
}

function methodOf(method: string): ClientAuthMethod {
  const known = CLIENT_AUTH_METHODS.find((each) => each === method);
  if (known === undefined) throw new UsageError(`--auth is one of ${CLIENT_AUTH_METHODS.join(', ')}.`);
  return known;
}

/** Null: its tokens last as long as those of all applications. */
function secondsOf(line: CommandLine): number | null {
  if (line.required('access-token-seconds') === 'default') return null;
  const { min, max } = ACCESS_TOKEN_SECONDS;
  const seconds = line.whole('access-token-seconds') ?? 0;
  if (seconds < min || seconds > max) {
    throw new UsageError(`--access-token-seconds is "default" or a number from ${min} to ${max}.`);
  }
  return seconds;
}

function limitOf(line: CommandLine): number {
  const limit = line.whole('limit') ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) throw new UsageError(`--limit is a number from 1 to ${MAX_LIMIT}.`);
  return limit;
}
