import { isNodePath, pathLevel, pathText } from '#libs/notation';
import { type FieldFormat, FUNDING_MODE_TEXTS, MESSAGE_DISPLAYS } from './clear-signing.js';
import { checksumOf, isAddressText } from '../document/evm-address.js';
import { isObject, type Json, type JsonObject, plainJson } from '../document/plain-json.js';
import type { ShownField } from '../document/prepared-action.js';
import { durationText, timeText, usdcText } from '../document/shown-text.js';
import { uintOf } from '../checks/verification-input.js';
import { isEscrowPrimaryType, isUsdcPrimaryType } from '../typed-data/typed-data-schemas.js';

/**
 * The message of a payload as a wallet with our descriptors shows it: labels and order are those of ERC-7730. Empty for
 * typed data that is not ours; a member that is not of its type is shown as it is. Never throws.
 */
export function shownFields(payload: unknown): ShownField[] {
  const data = plainJson(payload);
  if (!isObject(data) || typeof data['primaryType'] !== 'string' || !isObject(data['message'])) return [];
  const { primaryType, message } = data;
  if (!isEscrowPrimaryType(primaryType) && !isUsdcPrimaryType(primaryType)) return [];
  return MESSAGE_DISPLAYS[primaryType].fields.map(({ path, label, format }) => {
    const value = memberAt(message, path);
    const raw = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return { label, value: shown(raw, format), raw, name: path };
  });
}

function memberAt(message: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = message;
  for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined;
  return value;
}

function shown(raw: string, format: FieldFormat): string {
  const integer = uintOf(raw);
  switch (format) {
    case 'tokenAmount':
      return integer === null ? raw : usdcText(integer);
    case 'addressName':
      return isAddressText(raw) ? checksumOf(raw) : raw;
    case 'date':
      return integer === null ? raw : timeText(Number(integer));
    case 'duration':
      return integer === null ? raw : durationText(Number(integer));
    case 'enum':
      return FUNDING_MODE_TEXTS[raw] ?? raw;
    case 'path':
      // The number is what a wallet shows.
      return integer !== null && isNodePath(integer) && pathLevel(integer) > 1 ? `${raw} (${pathText(integer)})` : raw;
    case 'raw':
      return raw;
  }
}
