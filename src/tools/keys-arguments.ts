import { parseArgs } from 'node:util';
import { isScope, type Scope, SCOPES } from '../modules/auth/scope.js';
import { UsageError } from './usage-error.js';

/** What the person at the terminal asked for. */
export type KeysCommand =
  | { name: 'create-set'; account: string; wallet: string | null; days: number | null }
  | { name: 'create'; account: string; scope: Scope; keyName: string | null; days: number | null }
  | { name: 'list'; account: string | null }
  | { name: 'roll'; keyId: string; overlapHours: number | null }
  | { name: 'revoke'; keyId: string }
  | { name: 'help' };

export interface KeysArguments {
  command: KeysCommand;
  /** One JSON document on the standard output instead of text. */
  json: boolean;
  /** Folder of the local market, which is used when DATABASE_URL is not set. */
  dataDirectory: string;
}

export const USAGE = `Administers API keys in the database (DATABASE_URL and APP_SECRET, or the local market beside it).

  npm run keys -- create-set --account NAME|ID [--wallet 0x…] [--days N]   one key per scope; a new NAME makes an account
  npm run keys -- create --account NAME|ID --scope SCOPE [--name TEXT] [--days N]
  npm run keys -- list [--account NAME|ID]
  npm run keys -- roll KEY_ID [--overlap-hours N]                          a new key; the old one ends after N hours (24)
  npm run keys -- revoke KEY_ID                                            ends a key at once

  SCOPE is one of ${SCOPES.join(', ')}. Keys live 90 days unless --days says otherwise (at most 365).
  --json prints one JSON document. --data-dir FOLDER names the local market's folder (.tasktree).`;

const OPTIONS = {
  account: { type: 'string' },
  wallet: { type: 'string' },
  scope: { type: 'string' },
  name: { type: 'string' },
  days: { type: 'string' },
  'overlap-hours': { type: 'string' },
  'data-dir': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

type Option = keyof typeof OPTIONS;
type Values = Partial<Record<Option, string | boolean>>;

/** Which options each command takes beside `--json`, `--data-dir` and `--help`. */
const TAKES: Record<string, { operand: boolean; options: readonly Option[] }> = {
  'create-set': { operand: false, options: ['account', 'wallet', 'days'] },
  create: { operand: false, options: ['account', 'scope', 'name', 'days'] },
  list: { operand: false, options: ['account'] },
  roll: { operand: true, options: ['overlap-hours'] },
  revoke: { operand: true, options: [] },
};

/** @throws UsageError on anything unknown, missing or out of range. */
export function parseKeysArguments(args: readonly string[]): KeysArguments {
  const { values, positionals } = parse(args);
  const [name, ...operands] = positionals;
  return {
    command: name === undefined || values.help === true ? { name: 'help' } : commandOf(name, operands, values),
    json: values.json === true,
    dataDirectory: text(values, 'data-dir') ?? '.tasktree',
  };
}

function commandOf(name: string, operands: readonly string[], values: Values): KeysCommand {
  const takes = Object.hasOwn(TAKES, name) ? TAKES[name] : undefined;
  if (!takes) throw new UsageError(`There is no command "${name}".`);
  const always: readonly string[] = ['json', 'data-dir', 'help', ...takes.options];
  const unknown = Object.keys(values).find((option) => !always.includes(option));
  if (unknown !== undefined) throw new UsageError(`"${name}" takes no --${unknown}.`);
  if (operands.length !== (takes.operand ? 1 : 0)) {
    throw new UsageError(takes.operand ? `"${name}" needs one KEY_ID.` : `"${name}" takes no "${operands[0] ?? ''}".`);
  }
  return build(name, operands[0] ?? '', values);
}

function build(name: string, keyId: string, values: Values): KeysCommand {
  switch (name) {
    case 'create-set':
      return {
        name,
        account: required(values, 'account'),
        wallet: text(values, 'wallet'),
        days: whole(values, 'days'),
      };
    case 'create':
      return {
        name,
        account: required(values, 'account'),
        scope: scopeOf(required(values, 'scope')),
        keyName: text(values, 'name'),
        days: whole(values, 'days'),
      };
    case 'list':
      return { name, account: text(values, 'account') };
    case 'roll':
      return { name, keyId, overlapHours: whole(values, 'overlap-hours') };
    default:
      return { name: 'revoke', keyId };
  }
}

function parse(args: readonly string[]): { values: Values; positionals: string[] } {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function text(values: Values, option: Option): string | null {
  const value = values[option];
  return typeof value === 'string' ? value : null;
}

function required(values: Values, option: Option): string {
  const value = text(values, option);
  if (value === null || value === '') throw new UsageError(`--${option} is missing.`);
  return value;
}

function whole(values: Values, option: Option): number | null {
  const value = text(values, option);
  if (value === null) return null;
  if (!/^\d{1,6}$/.test(value)) throw new UsageError(`--${option} must be a whole number.`);
  return Number(value);
}

function scopeOf(scope: string): Scope {
  if (!isScope(scope)) throw new UsageError(`There is no scope "${scope}"; it is one of ${SCOPES.join(', ')}.`);
  return scope;
}
