import { isHex } from '#libs/notation';
import { isAddressText } from '../document/evm-address.js';
import { isObject, type JsonObject, plainJson } from '../document/plain-json.js';
import type { ChainReading, NodeReading } from '../document/prepared-action.js';
import { uintOf } from '../checks/verification-input.js';

/** A reading as JSON: amounts as decimal text. */
export function readingToJson(reading: ChainReading): JsonObject {
  const text = JSON.stringify(reading, (_name, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  const json = plainJson(JSON.parse(text));
  return isObject(json) ? json : {};
}

/** A reading out of JSON; null for anything that is not one. */
export function readingFromJson(value: unknown): ChainReading | null {
  const json = plainJson(value);
  if (!isObject(json)) return null;
  const { source, escrow, nonceUsed } = json;
  if (source !== 'wallet' && source !== 'service') return null;
  const node = json['node'] === null ? null : nodeFromJson(json['node']);
  return {
    source,
    ...definedMembers({
      chainId: countOf(json['chainId']),
      escrow: escrow === 'clone' || escrow === 'undeployed_ours' || escrow === 'foreign' ? escrow : undefined,
      nonceUsed: typeof nonceUsed === 'boolean' ? nonceUsed : undefined,
      node,
      usdcBalance: uintOf(json['usdcBalance']) ?? undefined,
      refundBalance: uintOf(json['refundBalance']) ?? undefined,
      withdrawable: uintOf(json['withdrawable']) ?? undefined,
      permitNonce: uintOf(json['permitNonce']) ?? undefined,
      blockTime: countOf(json['blockTime']),
      blockNumber: countOf(json['blockNumber']),
    }),
  };
}

function nodeFromJson(value: unknown): NodeReading | undefined {
  if (!isObject(value)) return undefined;
  const { worker, artifactHash, hirerFunded } = value;
  const state = countOf(value['state']);
  const amount = uintOf(value['amount']);
  if (state === undefined || amount === null || !isAddressText(worker)) return undefined;
  return {
    state,
    amount,
    worker,
    ...definedMembers({
      allocated: uintOf(value['allocated']) ?? undefined,
      returned: uintOf(value['returned']) ?? undefined,
      deliverBy: countOf(value['deliverBy']),
      clock: countOf(value['clock']),
      version: countOf(value['version']),
      revisions: countOf(value['revisions']),
      maxRevisions: countOf(value['maxRevisions']),
      floor: uintOf(value['floor']) ?? undefined,
      hirerFunded: typeof hirerFunded === 'boolean' ? hirerFunded : undefined,
    }),
    ...(typeof artifactHash === 'string' && isHex(artifactHash) ? { artifactHash } : {}),
  };
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The members that are not undefined. */
export function definedMembers<T extends object>(members: T): Partial<T> {
  const found: Partial<T> = { ...members };
  for (const name in found) if (found[name] === undefined) delete found[name];
  return found;
}
