import { keccak256, type TypedDataEncoder, type TypedDataField } from 'ethers';
import { checksumAddress } from '#libs/contracts';
import { BYTES32_PATTERN } from '#libs/kernel';
import type { MessageMembers } from './typed-message.js';

/** The EIP-712 hash of a message, as `0x` text; null when a member is not plainly of its type. */
export type StructHash = (message: MessageMembers) => string | null;

/** Writes a member's word at this place of the buffer, whose words are zero. @returns false when it does not fit. */
type WriteWord = (value: unknown, words: Buffer, at: number) => boolean;

const WORD = 32;
const ADDRESS_AT = 12;
const UINT = /^uint(8|16|24|32|40|48|56|64|72|80|88|96|104|112|120|128|160|192|256)$/;
const DECIMAL = /^(?:0|[1-9]\d*)$/;

/**
 * Makes the function that hashes messages of these structs. It lays out the words by hand, because a general encoder
 * takes five times as long as the hashing itself.
 * @param encoder knows the structs' types as text, and which of them is the message.
 * @returns null when a struct has members of other types than fixed words.
 */
export function structHashOf(
  structs: Readonly<Record<string, readonly TypedDataField[]>>,
  encoder: TypedDataEncoder,
): StructHash | null {
  return hashOfStruct(encoder.primaryType, structs, encoder);
}

function hashOfStruct(
  name: string,
  structs: Readonly<Record<string, readonly TypedDataField[]>>,
  encoder: TypedDataEncoder,
): StructHash | null {
  const typeHash = keccak256(Buffer.from(encoder.encodeType(name), 'utf8'));
  const members: { name: string; write: WriteWord }[] = [];
  for (const { name: member, type } of structs[name] ?? []) {
    const write = Object.hasOwn(structs, type) ? writeStruct(hashOfStruct(type, structs, encoder)) : writerOf(type);
    if (write === null) return null;
    members.push({ name: member, write });
  }
  return (message) => {
    const words = Buffer.alloc(WORD * (members.length + 1));
    words.write(typeHash.slice(2), 0, 'hex');
    let at = 0;
    for (const { name: member, write } of members) {
      at += WORD;
      if (!Object.hasOwn(message, member) || !write(message[member], words, at)) return null;
    }
    return keccak256(words);
  };
}

function writeStruct(hash: StructHash | null): WriteWord | null {
  if (hash === null) return null;
  return (value, words, at) => {
    if (typeof value !== 'object' || value === null) return false;
    const word = hash(value as MessageMembers);
    if (word !== null) words.write(word.slice(2), at, 'hex');
    return word !== null;
  };
}

function writerOf(type: string): WriteWord | null {
  if (type === 'address') return writeAddress;
  if (type === 'bytes32') return writeBytes32;
  if (type === 'bool') return writeFlag;
  const bits = UINT.exec(type)?.[1];
  return bits === undefined ? null : uintWriter(Number(bits));
}

function uintWriter(bits: number): WriteWord {
  return (value, words, at) => {
    if (typeof value !== 'string' || !DECIMAL.test(value)) return false;
    const integer = BigInt(value);
    if (integer >> BigInt(bits) !== 0n) return false;
    words.write(integer.toString(16).padStart(2 * WORD, '0'), at, 'hex');
    return true;
  };
}

function writeBytes32(value: unknown, words: Buffer, at: number): boolean {
  if (typeof value !== 'string' || !BYTES32_PATTERN.test(value)) return false;
  words.write(value.slice(2), at, 'hex');
  return true;
}

function writeFlag(value: unknown, words: Buffer, at: number): boolean {
  if (value === true) words[at + WORD - 1] = 1;
  return typeof value === 'boolean';
}

/** Takes an address in EIP-55 form only, as it is stored; any other form is left to the encoder of ethers. */
function writeAddress(value: unknown, words: Buffer, at: number): boolean {
  if (typeof value !== 'string' || !value.startsWith('0x')) return false;
  try {
    if (checksumAddress(value) !== value) return false;
  } catch {
    return false;
  }
  words.write(value.slice(2), at + ADDRESS_AT, 'hex');
  return true;
}
