import { TypedDataEncoder, type TypedDataField } from 'ethers';
import { ESCROW_DOMAIN_NAME } from '#libs/contracts';
import { type Hex, isHex } from '#libs/kernel';
import type { SignatureChecker } from '../../platform/chain/wallet-signatures.js';
import { readStruct } from './typed-message.js';

/**
 * The EIP-712 digest of a stored payload, and which contract will check a signature over it. Throws TypeError when the
 * payload is not typed data, which none is that was stored here.
 */
export function payloadDigest(payload: Readonly<Record<string, unknown>>): { digest: Hex; checker: SignatureChecker } {
  const domain = readStruct(payload, 'domain');
  const types = Object.entries(readStruct(payload, 'types')).filter(([name]) => name !== 'EIP712Domain');
  const fields = Object.fromEntries(types.map(([name, members]) => [name, fieldsOf(members)]));
  const digest = TypedDataEncoder.hash({ ...domain }, fields, { ...readStruct(payload, 'message') });
  if (!isHex(digest)) throw new TypeError('Not a digest');
  return { digest, checker: domain['name'] === ESCROW_DOMAIN_NAME ? 'escrow' : 'token' };
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
