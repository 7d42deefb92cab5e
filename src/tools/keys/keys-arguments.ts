import { isScope, type Scope, SCOPES } from '../../modules/credentials/scope.js';
import { type LimitField, LimitRefused, limitsIn } from '../../modules/credentials/spending/spend-limit-fields.js';
import type { SpendLimits } from '../../modules/credentials/spending/spend-limits.js';
import { CommandLine, type CommandShape } from '../command-line.js';
import type { ToolArguments } from '../operator-tool.js';
import { UsageError } from '../usage-error.js';

/** What the person at the terminal asked for. */
export type KeysCommand =
  | { name: 'create-set'; account: string; wallet: string | null; days: number | null; limits: SpendLimits }
  | { name: 'create'; account: string; scope: Scope; keyName: string | null; days: number | null; limits: SpendLimits }
  | { name: 'list'; account: string | null }
  | { name: 'roll'; keyId: string; overlapHours: number | null }
  | { name: 'revoke'; keyId: string };

export const USAGE = `Administers API keys in the database (DATABASE_URL and APP_SECRET, or the local market beside it).

  npm run keys -- create-set --account NAME|ID [--wallet 0x…] [--days N] [LIMITS]   one key per scope; a new NAME makes an account
  npm run keys -- create --account NAME|ID --scope SCOPE [--name TEXT] [--days N] [LIMITS]
  npm run keys -- list [--account NAME|ID]
  npm run keys -- roll KEY_ID [--overlap-hours N]                          a new key; the old one ends after N hours (24)
  npm run keys -- revoke KEY_ID                                            ends a key at once

  SCOPE is one of ${SCOPES.join(', ')}. Keys live 90 days unless --days says otherwise (at most 365).
  LIMITS of what its wallet may be asked to pay, in USDC; those of a key set are for its four keys together:
  [--per-payment AMOUNT] [--per-day AMOUNT] [--total AMOUNT] [--counterparties 0x…,0x…]
  --json prints one JSON document. --data-dir FOLDER names the local market's folder (.tasktree).`;

const OPTIONS = {
  account: { type: 'string' },
  wallet: { type: 'string' },
  scope: { type: 'string' },
  name: { type: 'string' },
  days: { type: 'string' },
  'overlap-hours': { type: 'string' },
  'per-payment': { type: 'string' },
  'per-day': { type: 'string' },
  total: { type: 'string' },
  counterparties: { type: 'string' },
} as const;

const LIMITS = ['per-payment', 'per-day', 'total', 'counterparties'];

const COMMANDS: Record<KeysCommand['name'], CommandShape> = {
  'create-set': { operand: null, options: ['account', 'wallet', 'days', ...LIMITS] },
  create: { operand: null, options: ['account', 'scope', 'name', 'days', ...LIMITS] },
  list: { operand: null, options: ['account'] },
  roll: { operand: 'KEY_ID', options: ['overlap-hours'] },
  revoke: { operand: 'KEY_ID', options: [] },
};

/** @throws UsageError on anything unknown, missing or out of range. */
export function parseKeysArguments(args: readonly string[]): ToolArguments<KeysCommand> {
  const line = CommandLine.read(args, OPTIONS, COMMANDS);
  const { name, json, dataDirectory } = line;
  return { command: name === null ? { name: 'help' } : commandOf(name, line), json, dataDirectory };
}

function commandOf(name: string, line: CommandLine): KeysCommand {
  switch (name) {
    case 'create-set':
      return {
        name,
        account: line.required('account'),
        wallet: line.text('wallet'),
        days: line.whole('days'),
        limits: limitsOf(line),
      };
    case 'create':
      return {
        name,
        account: line.required('account'),
        scope: scopeOf(line.required('scope')),
        keyName: line.text('name'),
        days: line.whole('days'),
        limits: limitsOf(line),
      };
    case 'list':
      return { name, account: line.text('account') };
    case 'roll':
      return { name, keyId: line.operand, overlapHours: line.whole('overlap-hours') };
    default:
      return { name: 'revoke', keyId: line.operand };
  }
}

/** @throws UsageError where a limit is none: an empty one must not mean that there is no limit. */
function limitsOf(line: CommandLine): SpendLimits {
  const text = (field: LimitField): string => {
    const option = field.replace('_', '-');
    const given = line.text(option);
    if (given?.trim() === '') throw new UsageError(`--${option} is empty.`);
    return given ?? '';
  };
  try {
    return limitsIn({
      per_payment: text('per_payment'),
      per_day: text('per_day'),
      total: text('total'),
      counterparties: text('counterparties'),
    });
  } catch (error) {
    if (!(error instanceof LimitRefused)) throw error;
    throw new UsageError(`--${error.field.replace('_', '-')}: ${error.reason}`);
  }
}

function scopeOf(scope: string): Scope {
  if (!isScope(scope)) throw new UsageError(`There is no scope "${scope}"; it is one of ${SCOPES.join(', ')}.`);
  return scope;
}
