import { concat, keccak256, TypedDataEncoder } from 'ethers';
import { type Hex, BYTES32_PATTERN } from '#libs/kernel';
import {
  DOMAIN_MEMBERS,
  ESCROW_DOMAIN_NAME,
  ESCROW_DOMAIN_VERSION,
  ESCROW_TYPES,
  type EscrowMessages,
  type EscrowPrimaryType,
  isEscrowPrimaryType,
  isUsdcPrimaryType,
  NODE_TERMS_MEMBERS,
  type TypedMember,
  USDC_TYPES,
  type UsdcMessages,
  type UsdcPrimaryType,
} from '#libs/prepared-action';
import { LRUCache } from 'lru-cache';
import { asHex, checksumAddress } from './addresses.js';

/** A message as JSON: integers of any width as decimal strings, addresses EIP-55, bytes as `0x` text. */
export interface TypedMessage {
  [name: string]: string | boolean | TypedMessage;
}

/** Typed data in the form that `eth_signTypedData_v4` accepts. */
export interface TypedData {
  domain: { name: string; version: string; chainId: number; verifyingContract: Hex };
  types: Record<string, readonly TypedMember[]>;
  primaryType: string;
  message: TypedMessage;
}

/** Which tree an action is signed for. */
export interface EscrowDomain {
  /** EIP-155 chain id. */
  chainId: number;
  escrowAddress: string;
}

/** The token's domain; its name differs between deployments ("USD Coin" on most chains, version "2"). */
export interface TokenDomain {
  chainId: number;
  tokenAddress: string;
  name: string;
  version: string;
}

type MessageInput = { readonly [name: string]: string | number | bigint | boolean | MessageInput };

/** Domain separators kept: one per tree that an action was prepared or checked for lately. */
const SEPARATORS_KEPT = 10_000;
const separators = new LRUCache<string, Hex>({ max: SEPARATORS_KEPT });
const encoders = new Map<string, TypedDataEncoder>();
const NESTED: Readonly<Record<string, readonly TypedMember[]>> = { NodeTerms: NODE_TERMS_MEMBERS };

/**
 * The typed data of one action of a tree's escrow. Throws TypeError or RangeError when a member does not fit its type,
 * so that nothing is ever shown to a wallet that the contract would hash differently.
 */
export function escrowTypedData<P extends EscrowPrimaryType>(
  primaryType: P,
  { chainId, escrowAddress }: EscrowDomain,
  message: EscrowMessages[P],
): TypedData {
  const domain = { name: ESCROW_DOMAIN_NAME, version: ESCROW_DOMAIN_VERSION, chainId };
  return typedData(primaryType, { ...domain, verifyingContract: checksumAddress(escrowAddress) }, message);
}

/** The typed data of a payment into an escrow that the token itself checks. Errors as `escrowTypedData`. */
export function usdcTypedData<P extends UsdcPrimaryType>(
  primaryType: P,
  { chainId, tokenAddress, name, version }: TokenDomain,
  message: UsdcMessages[P],
): TypedData {
  const domain = { name, version, chainId, verifyingContract: checksumAddress(tokenAddress) };
  return typedData(primaryType, domain, message);
}

/** EIP-712 digest: what the wallet signs and the contract recovers. Throws TypeError on a type that is not pinned. */
export function typedDataDigest(data: TypedData): Hex {
  return asHex(keccak256(concat(['0x1901', domainSeparator(data.domain), typedDataStructHash(data)])));
}

/** EIP-712 hash of the message alone, without the domain. */
export function typedDataStructHash(data: TypedData): Hex {
  return asHex(encoderOf(data.primaryType).hash(data.message));
}

function typedData(
  primaryType: EscrowPrimaryType | UsdcPrimaryType,
  domain: TypedData['domain'],
  message: MessageInput,
) {
  const own = membersOf(primaryType);
  const types: TypedData['types'] = { EIP712Domain: DOMAIN_MEMBERS, [primaryType]: own };
  for (const { type } of own) {
    const nested = NESTED[type];
    if (nested !== undefined) types[type] = nested;
  }
  return { domain, types, primaryType, message: toJson(own, message) };
}

function toJson(members: readonly TypedMember[], input: MessageInput): TypedMessage {
  const message: TypedMessage = {};
  for (const { name, type } of members) message[name] = memberJson(name, type, input[name]);
  return message;
}

function memberJson(name: string, type: string, value: MessageInput[string] | undefined): TypedMessage[string] {
  const nested = NESTED[type];
  if (nested !== undefined && typeof value === 'object') return toJson(nested, value);
  if (type.startsWith('uint') && (typeof value === 'bigint' || typeof value === 'number')) {
    return uintText(name, Number(type.slice(4)), value);
  }
  if (type === 'address' && typeof value === 'string') return checksumAddress(value);
  if (type === 'bytes32' && typeof value === 'string' && BYTES32_PATTERN.test(value)) return value.toLowerCase();
  if (type === 'bool' && typeof value === 'boolean') return value;
  throw new TypeError(`The member ${name} of a typed message is not ${type}`);
}

function uintText(name: string, bits: number, value: bigint | number): string {
  const fits = typeof value === 'bigint' || Number.isSafeInteger(value);
  const integer = fits ? BigInt(value) : -1n;
  if (integer < 0n || integer >> BigInt(bits) !== 0n) throw new RangeError(`The member ${name} is not a uint${bits}`);
  return integer.toString();
}

function membersOf(primaryType: string): readonly TypedMember[] {
  if (isEscrowPrimaryType(primaryType)) return ESCROW_TYPES[primaryType];
  if (isUsdcPrimaryType(primaryType)) return USDC_TYPES[primaryType];
  throw new TypeError('Not a primary type of the escrow or its token');
}

function encoderOf(primaryType: string): TypedDataEncoder {
  const known = encoders.get(primaryType);
  if (known !== undefined) return known;
  const own = membersOf(primaryType);
  const types: Record<string, TypedMember[]> = { [primaryType]: [...own] };
  if (own.some(({ type }) => type === 'NodeTerms')) types.NodeTerms = [...NODE_TERMS_MEMBERS];
  const encoder = TypedDataEncoder.from(types);
  encoders.set(primaryType, encoder);
  return encoder;
}

/** EIP-712 hash of a domain; recent ones are cached. */
export function domainSeparator(domain: TypedData['domain']): Hex {
  const key = JSON.stringify([domain.name, domain.version, domain.chainId, domain.verifyingContract]);
  const known = separators.get(key);
  if (known !== undefined) return known;
  const separator = asHex(TypedDataEncoder.hashDomain(domain));
  separators.set(key, separator);
  return separator;
}
