import { isIPv4, isIPv6 } from 'node:net';
import { hidesText } from '#libs/kernel';
import { fieldOf } from '../../../platform/pages/form-body.js';
import { KeyNetworks } from '../../credentials/api-keys/key-networks.js';
import { NO_TYPED_LIMITS, type TypedLimits, typedLimits } from '../../credentials/spending/spend-limit-fields.js';
import { limitsInput } from '../page-parts/limits-input.js';
import { isUnlimited } from '../../credentials/spending/spend-limits.js';
import {
  MAX_KEY_DAYS,
  MAX_KEY_NAME,
  MAX_OVERLAP_HOURS,
  type NewApiKey,
} from '../../credentials/api-keys/api-keys.service.js';
import { isScope, type Scope } from '../../credentials/scope.js';
import { FieldRefused } from '../page-parts/form-problem.js';

/** The fields as they were typed, to be shown again. */
export interface TypedKey {
  name: string;
  days: string;
  cidrs: string;
  limits: TypedLimits;
  /** Only in the form for one key. */
  scope: string;
}

/** `set` creates a key set, `one` a single key. */
export type KeyForm = 'set' | 'one';

const MAX_NETWORKS = 20;
const LONGEST_SHOWN = 2_000;

/** Initial values of the forms. */
export const NEW_KEY: TypedKey = { name: '', days: '90', cidrs: '', limits: NO_TYPED_LIMITS, scope: 'read' };

/** Reads the fields of a form. All but the networks are cut to LONGEST_SHOWN characters. */
export function typedKey(form: URLSearchParams): TypedKey {
  const text = (name: string) => fieldOf(form, name).slice(0, LONGEST_SHOWN);
  // Networks are never cut or left out: a shorter list can mean wider access, and an empty one means access from
  // anywhere.
  const cidrs = form.getAll('cidrs').join('\n').trim();
  return { name: text('name'), days: text('days'), cidrs, limits: typedLimits(form), scope: text('scope') };
}

/** Checks the fields and returns the input for the new keys. @throws FieldRefused for the first invalid field. */
export function keyInput(form: KeyForm, { name, days, cidrs, limits: typed }: TypedKey): Omit<NewApiKey, 'scope'> {
  const networks = networksOf(form, cidrs);
  const limits = limitsInput(form, typed);
  return {
    name: nameOf(form, name),
    days: wholeNumber(`${form}-days`, days === '' ? NEW_KEY.days : days, 1, MAX_KEY_DAYS),
    ...(networks.length === 0 ? {} : { cidrs: networks }),
    ...(isUnlimited(limits) ? {} : { limits }),
  };
}

/** The scope of the form for one key. @throws FieldRefused. */
export function scopeInput({ scope }: TypedKey): Scope {
  if (isScope(scope)) return scope;
  throw new FieldRefused('one-scope', 'Choose what the key may do.');
}

/** Hours for which a replaced key still works; 0 to 168. @throws FieldRefused. */
export function overlapInput(keyId: string, form: URLSearchParams): number {
  return wholeNumber(`roll-${keyId}-overlap_hours`, fieldOf(form, 'overlap_hours'), 0, MAX_OVERLAP_HOURS);
}

function nameOf(form: KeyForm, name: string): string {
  if (name.length === 0 || name.length > MAX_KEY_NAME) {
    throw new FieldRefused(`${form}-name`, `Give a name of 1 to ${MAX_KEY_NAME} characters.`);
  }
  if (hidesText(name)) throw new FieldRefused(`${form}-name`, 'The name holds characters that cannot be seen.');
  return name;
}

function wholeNumber(field: string, text: string, min: number, max: number): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new FieldRefused(field, `Give a whole number from ${min} to ${max}.`);
}

/** Reads the networks. A single address becomes a network of one address. */
function networksOf(form: KeyForm, text: string): string[] {
  const given = text.split(/[\s,;]+/).filter((part) => part !== '');
  if (given.length > MAX_NETWORKS) throw new FieldRefused(`${form}-cidrs`, `Give at most ${MAX_NETWORKS} networks.`);
  return given.map((part, index) => {
    const network = isIPv4(part) ? `${part}/32` : isIPv6(part) ? `${part}/128` : part;
    if (isNetwork(network)) return network;
    throw new FieldRefused(
      `${form}-cidrs`,
      `Number ${index + 1} is not a network such as 203.0.113.0/24 or 2001:db8::/32.`,
    );
  });
}

function isNetwork(text: string): boolean {
  // An IPv6 zone has a meaning on one machine only.
  if (text.includes('%')) return false;
  try {
    return new KeyNetworks([text]).contains(text.slice(0, text.indexOf('/')));
  } catch {
    return false;
  }
}
