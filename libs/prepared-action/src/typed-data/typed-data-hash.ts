import { type Hex, isHex } from '#libs/notation';
import { isAddressText } from '../document/evm-address.js';
import { keccakHex, keccakText } from '../hashing/hashing.js';
import { isObject, type Json, type JsonObject, membersOf, plainJson } from '../document/plain-json.js';
import type { TypedDataHashes } from '../document/prepared-action.js';

type Structs = ReadonlyMap<string, readonly Member[]>;
interface Member {
  readonly name: string;
  readonly type: string;
}

const NAME = /^[A-Za-z_$][A-Za-z0-9_$]{0,127}$/;
const ATOMIC = /^(?:address|bool|string|uint(\d{1,3})|bytes(\d{1,2}))$/;
const DECIMAL = /^(?:0|[1-9]\d{0,77})$/;
const DOMAIN = 'EIP712Domain';
/** Deepest nesting of structs; ours nest once. */
const MAX_DEPTH = 8;

/**
 * The EIP-712 hashes of typed data exactly as it arrived, with the structs of its own `types`, because those are what a
 * wallet signs. Members are addresses, booleans, texts, `uintN`, `bytesN` and structs of these; none of our messages
 * has an array. Throws TypeError on everything else, and on a message that has other members than its struct.
 */
export function hashTypedData(payload: unknown): TypedDataHashes {
  const data = plainJson(payload);
  const { domain, types, primaryType, message } = isObject(data) ? data : {};
  if (!isObject(domain) || !isObject(types) || !isObject(message) || typeof primaryType !== 'string') {
    throw new TypeError('Not typed data');
  }
  const structs = readStructs(types);
  const domainHash = hashStruct(DOMAIN, domain, structs, 0);
  const messageHash = hashStruct(primaryType, message, structs, 0);
  return { domainHash, messageHash, digest: keccakHex('0x1901', domainHash, messageHash) };
}

/** EIP-712 `encodeType`: the struct, then those it refers to, sorted by name. Throws TypeError on an unknown struct. */
export function encodeType(name: string, structs: Structs): string {
  const others = [...referred(name, structs, new Set())].filter((other) => other !== name).sort();
  return [name, ...others].map((one) => `${one}(${signature(one, structs)})`).join('');
}

function signature(name: string, structs: Structs): string {
  return struct(name, structs)
    .map((member) => `${member.type} ${member.name}`)
    .join(',');
}

function referred(name: string, structs: Structs, found: Set<string>): Set<string> {
  if (found.has(name)) return found;
  const members = struct(name, structs);
  found.add(name);
  for (const { type } of members) if (!ATOMIC.test(type)) referred(type, structs, found);
  return found;
}

function hashStruct(name: string, value: JsonObject, structs: Structs, depth: number): Hex {
  if (depth > MAX_DEPTH) throw new TypeError('Structs nested too deep');
  const members = struct(name, structs);
  if (membersOf(value).length !== members.length) throw new TypeError(`Not exactly the members of ${name}`);
  const words = members.map((member) => encodeMember(member, value[member.name], structs, depth));
  return keccakHex(keccakText(encodeType(name, structs)), ...words);
}

function encodeMember({ name, type }: Member, value: Json | undefined, structs: Structs, depth: number): Hex {
  const [atomic, bits, length] = ATOMIC.exec(type) ?? [];
  if (atomic === undefined && isObject(value)) return hashStruct(type, value, structs, depth + 1);
  if (bits !== undefined) return uintWord(value, Number(bits));
  if (length !== undefined && typeof value === 'string' && isHex(value) && value.length === 2 + 2 * Number(length)) {
    if (Number(length) >= 1 && Number(length) <= 32) return `0x${value.slice(2).toLowerCase().padEnd(64, '0')}`;
  }
  if (type === 'address' && isAddressText(value)) return word(value.slice(2).toLowerCase());
  if (type === 'bool' && typeof value === 'boolean') return word(value ? '1' : '0');
  if (type === 'string' && typeof value === 'string') return keccakText(value);
  throw new TypeError(`The member ${name} is not ${type}`);
}

function uintWord(value: Json | undefined, bits: number): Hex {
  const isDecimal = typeof value === 'string' && DECIMAL.test(value);
  if (!isDecimal && !(typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)) {
    throw new TypeError(`Not a uint${bits}`);
  }
  const integer = BigInt(value);
  if (bits < 8 || bits > 256 || bits % 8 !== 0 || integer >> BigInt(bits) !== 0n)
    throw new TypeError(`Not a uint${bits}`);
  return word(integer.toString(16));
}

function word(digits: string): Hex {
  return `0x${digits.padStart(64, '0')}`;
}

function struct(name: string, structs: Structs): readonly Member[] {
  const members = structs.get(name);
  if (members === undefined) throw new TypeError('A struct is missing, or a type is not supported');
  return members;
}

function readStructs(types: JsonObject): Structs {
  return new Map(membersOf(types).map(([name, members]) => [name, readMembers(members)]));
}

function readMembers(value: Json): Member[] {
  if (!Array.isArray(value)) throw new TypeError('Not the members of a struct');
  const members = value.map((member: Json): Member => {
    const { name, type } = isObject(member) ? member : {};
    if (typeof name !== 'string' || typeof type !== 'string' || !NAME.test(name)) {
      throw new TypeError('Not a member of a struct');
    }
    return { name, type };
  });
  if (new Set(members.map(({ name }) => name)).size !== members.length) throw new TypeError('A member is there twice');
  return members;
}
