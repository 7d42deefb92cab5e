import { keccak256, TypedDataEncoder, type TypedDataField } from 'ethers';
import { LRUCache } from 'lru-cache';
import { domainSeparator, ESCROW_DOMAIN_NAME, type TypedData } from '#libs/contracts';
import { type Hex, isHex } from '#libs/kernel';
import type { SignatureChecker } from '../../../platform/chain/wallet-signatures.js';
import { type StructHash, structHashOf } from './struct-hash.js';
import { type MessageMembers, readStruct } from './typed-message.js';

/** More than there are kinds of typed data, also while two releases store them. */
const ENCODERS_KEPT = 100;
/** What EIP-712 puts in front of the two hashes of a digest. */
const PREFIX = '1901';

/** Two ways to hash a message. `hash` is the fast one; it is null, or returns null, for what it cannot lay out. */
interface MessageEncoder {
  readonly hash: StructHash | null;
  readonly encoder: TypedDataEncoder;
}

/** Encoders by the JSON of the stored types, which may be those of an earlier release. */
const encoders = new LRUCache<string, MessageEncoder>({ max: ENCODERS_KEPT });

/**
 * The EIP-712 digest of a stored payload, and which contract will check a signature over it. Throws TypeError when the
 * payload is not typed data, which happens to no payload that this service has stored.
 */
export function payloadDigest(payload: Readonly<Record<string, unknown>>): { digest: Hex; checker: SignatureChecker } {
  const domain = readStruct(payload, 'domain');
  const { hash, encoder } = encoderOf(readStruct(payload, 'types'));
  const message = readStruct(payload, 'message');
  const messageHash = hash?.(message) ?? encoder.hash({ ...message });
  const separator = domainSeparator(domainOf(domain));
  const digest = keccak256(Buffer.from(`${PREFIX}${separator.slice(2)}${messageHash.slice(2)}`, 'hex'));
  if (!isHex(digest)) throw new TypeError('Not a digest');
  return { digest, checker: domain['name'] === ESCROW_DOMAIN_NAME ? 'escrow' : 'token' };
}

function encoderOf(types: MessageMembers): MessageEncoder {
  const key = JSON.stringify(types);
  const known = encoders.get(key);
  if (known !== undefined) return known;
  const own = Object.entries(types).filter(([name]) => name !== 'EIP712Domain');
  const structs = Object.fromEntries(own.map(([name, members]) => [name, fieldsOf(members)]));
  const encoder = TypedDataEncoder.from(structs);
  const made = { hash: structHashOf(structs, encoder), encoder };
  encoders.set(key, made);
  return made;
}

function domainOf({ name, version, chainId, verifyingContract }: MessageMembers): TypedData['domain'] {
  if (
    typeof name !== 'string' ||
    typeof version !== 'string' ||
    !(typeof verifyingContract === 'string' && isHex(verifyingContract))
  ) {
    throw new TypeError('Not a domain');
  }
  return { name, version, chainId: Number(chainId), verifyingContract };
}

function fieldsOf(members: unknown): TypedDataField[] {
  if (!Array.isArray(members)) throw new TypeError('Not the members of a struct');
  return members.map((member: unknown) => {
    if (typeof member !== 'object' || member === null || !('name' in member) || !('type' in member)) {
      throw new TypeError('Not a member of a struct');
    }
    return { name: String(member.name), type: String(member.type) };
  });
}
