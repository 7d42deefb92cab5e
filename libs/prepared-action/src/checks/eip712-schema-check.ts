import { BYTES32_PATTERN } from '#libs/notation';
import { FOUND } from './check-copy.js';
import { isAddressText } from '../document/evm-address.js';
import { isObject, type Json, type JsonObject, membersOf } from '../document/plain-json.js';
import { foundText } from '../document/shown-text.js';
import { uintOf } from './verification-input.js';
import {
  DOMAIN_MEMBERS,
  ESCROW_TYPES,
  isEscrowPrimaryType,
  isUsdcPrimaryType,
  KIND_TYPES,
  NODE_TERMS_MEMBERS,
  type TypedMember,
  USDC_TYPES,
} from '../typed-data/typed-data-schemas.js';

/** Name and version of an EIP-712 domain. */
export interface DomainName {
  readonly name: string;
  readonly version: string;
}

/** The structs that wallets are asked to sign. */
const SIGNED_TYPES = new Map(Object.entries({ ...KIND_TYPES, ...USDC_TYPES }));

/** The pinned members of a primary type of the escrow or the token; null for any other. */
export function pinnedMembers(primaryType: unknown): readonly TypedMember[] | null {
  if (typeof primaryType !== 'string') return null;
  if (isEscrowPrimaryType(primaryType)) return ESCROW_TYPES[primaryType];
  return isUsdcPrimaryType(primaryType) ? USDC_TYPES[primaryType] : null;
}

/** The structs that typed data of a pinned primary type consists of, in the form of `types`. */
export function pinnedTypes(primaryType: string, own: readonly TypedMember[]): Record<string, readonly TypedMember[]> {
  const types = { EIP712Domain: DOMAIN_MEMBERS, [primaryType]: own };
  return own.some(({ type }) => type === 'NodeTerms') ? { ...types, NodeTerms: NODE_TERMS_MEMBERS } : types;
}

/**
 * The first place where typed data differs from its pinned form: structs member by member in their order, no more and
 * no fewer, a domain of this name, and a message with exactly the members of its struct, each of the JSON type that we
 * write. Null: it does not differ.
 */
export function formFault(data: JsonObject, domainName: DomainName): string | null {
  const { types, domain, message, primaryType } = data;
  const own = typeof primaryType === 'string' ? SIGNED_TYPES.get(primaryType) : undefined;
  if (own === undefined || typeof primaryType !== 'string') return FOUND.primaryType(foundText(primaryType));
  const pinned = pinnedTypes(primaryType, own);
  if (!isObject(types) || membersOf(types).length !== Object.keys(pinned).length) return FOUND.schema('types');
  for (const [name, members] of Object.entries(pinned)) {
    if (!isSameStruct(types[name], members)) return FOUND.schema(`types.${name}`);
  }
  return domainFault(domain, domainName) ?? messageFault(message, own, '');
}

function isSameStruct(value: Json | undefined, pinned: readonly TypedMember[]): boolean {
  if (!Array.isArray(value) || value.length !== pinned.length) return false;
  return pinned.every(({ name, type }, at) => {
    const member: unknown = value[at];
    return isObject(member) && member['name'] === name && member['type'] === type && membersOf(member).length === 2;
  });
}

function domainFault(domain: Json | undefined, { name, version }: DomainName): string | null {
  if (!isObject(domain) || membersOf(domain).length !== DOMAIN_MEMBERS.length) return FOUND.schema('domain');
  if (domain['name'] !== name) return FOUND.schema('domain.name');
  if (domain['version'] !== version) return FOUND.schema('domain.version');
  if (!Number.isSafeInteger(domain['chainId'])) return FOUND.memberType('domain.chainId');
  return isAddressText(domain['verifyingContract']) ? null : FOUND.memberType('domain.verifyingContract');
}

function messageFault(message: Json | undefined, members: readonly TypedMember[], prefix: string): string | null {
  if (!isObject(message)) return FOUND.memberType(`${prefix}message`);
  for (const { name, type } of members) {
    const value = message[name];
    const fault =
      type === 'NodeTerms'
        ? messageFault(value, NODE_TERMS_MEMBERS, `${name}.`)
        : isOfType(value, type)
          ? null
          : FOUND.memberType(prefix + name);
    if (fault !== null) return fault;
  }
  const extra = Object.keys(message).find((name) => !members.some((member) => member.name === name));
  return extra === undefined ? null : FOUND.memberExtra(foundText(prefix + extra));
}

/**
 * True for a value in the form in which libs/contracts writes it: integers as decimal text, everything else as EIP-712
 * has it.
 */
function isOfType(value: Json | undefined, type: string): boolean {
  if (type === 'address') return isAddressText(value);
  if (type === 'bool') return typeof value === 'boolean';
  if (type === 'bytes32') return typeof value === 'string' && BYTES32_PATTERN.test(value);
  const integer = uintOf(value);
  return integer !== null && integer >> BigInt(type.slice('uint'.length)) === 0n;
}
