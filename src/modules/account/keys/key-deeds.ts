import { limitTexts } from '../../credentials/spending/spend-limit-fields.js';
import { limitsCopy } from '../../credentials/spending/spend-limits-copy.js';
import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { oneLine } from '../../../platform/pages/one-line.js';
import type { ApiKeyEntity } from '../../credentials/api-keys/api-key.entity.js';
import type { NewApiKey } from '../../credentials/api-keys/api-keys.service.js';
import { SCOPE_WORDS } from '../../oauth/consent/scope-copy.js';
import type { Deed } from '../signed-in/confirm-step.js';
import type { TypedKey } from './key-form.js';

const PAGE = '/account/keys';

/** Describes the creation of one key per scope, for confirmation. */
export function createKeys(input: Omit<NewApiKey, 'scope'>, typed: TypedKey): Deed {
  return {
    act: {
      name: 'create-keys',
      parameters: exactly(input),
      words: `create four API keys, one of each scope, ${conditions(input)}`,
    },
    title: 'Create a key set: confirm',
    explanation: markup`Four API keys named “<bdi>${oneLine(input.name)}</bdi>”, ${lifeOf(input)}.`,
    path: PAGE,
    fields: { name: typed.name, days: typed.days, cidrs: typed.cidrs, ...typed.limits },
    button: 'Create four keys',
    page: PAGE,
  };
}

/** Describes the creation of one key, for confirmation. */
export function createKey(input: NewApiKey, typed: TypedKey): Deed {
  const { scope } = input;
  return {
    act: {
      name: 'create-key',
      parameters: { scope, ...exactly(input) },
      words: `create an API key of scope ${scope} ${conditions(input)}`,
    },
    title: 'Create a key: confirm',
    explanation: markup`An API key named “<bdi>${oneLine(input.name)}</bdi>” (${SCOPE_WORDS[scope].title},
<code>${scope}</code>), ${lifeOf(input)}.`,
    path: `${PAGE}/create`,
    fields: { scope, name: typed.name, days: typed.days, cidrs: typed.cidrs, ...typed.limits },
    button: 'Create the key',
    page: PAGE,
  };
}

/** Describes the replacement of a key by a new one with the same scope, for confirmation. */
export function replaceKey({ id, name, scope, prefix, last4 }: ApiKeyEntity, overlapHours: number): Deed {
  return {
    act: {
      name: 'replace-key',
      parameters: { key: id, overlap_hours: overlapHours },
      words: `replace the API key ${prefix}...${last4} of scope ${scope} by a new one, and end it after ${overlapHours} hours`,
    },
    title: 'Replace a key: confirm',
    explanation: markup`A new key takes the place of “<bdi>${oneLine(name)}</bdi>” (<code>${scope}</code>,
<code>${prefix}…${last4}</code>). The present key ${overlapHours === 0 ? 'stops at once' : `goes on for ${hours(overlapHours)}`}.`,
    path: `${PAGE}/${id}/roll`,
    fields: { overlap_hours: String(overlapHours) },
    button: 'Replace the key',
    page: PAGE,
  };
}

function exactly({ name, days = 0, cidrs = [], limits }: Omit<NewApiKey, 'scope'>) {
  return { name, days, cidrs, ...(limits === undefined ? {} : { limits: Object.values(limitTexts(limits)) }) };
}

function conditions({ name, days, cidrs, limits }: Omit<NewApiKey, 'scope'>): string {
  const networks = cidrs === undefined ? 'from any network' : `from ${cidrs.join(', ')} only`;
  return `named '${name}' that works for ${days} ${days === 1 ? 'day' : 'days'} ${networks}${payments(limits)}`;
}

function lifeOf({ days, cidrs, limits }: Omit<NewApiKey, 'scope'>): SafeHtml {
  const networks = cidrs === undefined ? 'from any network' : `from ${cidrs.join(', ')} only`;
  return markup`for ${days ?? ''} ${days === 1 ? 'day' : 'days'}, ${networks}${payments(limits)}`;
}

/** The limits as the wallet shows them: every amount and every wallet. */
function payments(limits: NewApiKey['limits']): string {
  if (limits === undefined) return '';
  const wallets = limits.counterparties ?? [];
  return `, asking to pay ${limitsCopy(limits)}${wallets.length === 0 ? '' : ` (${wallets.join(', ')})`}`;
}

function hours(count: number): string {
  return count === 1 ? 'one hour' : `${count} hours`;
}
