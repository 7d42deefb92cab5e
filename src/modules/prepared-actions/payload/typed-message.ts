import type { ActionFields } from '#libs/contracts';
import { BYTES32_PATTERN, EVM_ADDRESS_PATTERN, type Hex, isHex } from '#libs/kernel';

/** Members of a typed message as they were stored. */
export type MessageMembers = Readonly<Record<string, unknown>>;

/** The message of a stored payload. Throws TypeError when the payload is not typed data. */
export function messageOf({ message }: Readonly<Record<string, unknown>>): MessageMembers {
  if (typeof message !== 'object' || message === null) throw new TypeError('The payload has no message');
  return Object.fromEntries(Object.entries<unknown>({ ...message }));
}

/** An unsigned integer member of a typed message. Throws TypeError when it is absent or not one. */
export function readUint(message: MessageMembers, name: string): bigint {
  const value = message[name];
  if (typeof value !== 'string' || !/^[0-9]+$/.test(value)) throw new TypeError(`The member ${name} is not a uint`);
  return BigInt(value);
}

/** A boolean member of a typed message. Throws TypeError when it is absent or not one. */
export function readFlag(message: MessageMembers, name: string): boolean {
  const value = message[name];
  if (typeof value !== 'boolean') throw new TypeError(`The member ${name} is not a bool`);
  return value;
}

/** A bytes32 member of a typed message. Throws TypeError when it is absent or not one. */
export function readBytes32(message: MessageMembers, name: string): Hex {
  return readHex(message, name, BYTES32_PATTERN);
}

/** An address member of a typed message. Throws TypeError when it is absent or not one. */
export function readAddress(message: MessageMembers, name: string): Hex {
  return readHex(message, name, EVM_ADDRESS_PATTERN);
}

/** A struct member of a typed message. Throws TypeError when it is absent or not one. */
export function readStruct(message: MessageMembers, name: string): MessageMembers {
  const value = message[name];
  if (typeof value !== 'object' || value === null) throw new TypeError(`The member ${name} is not a struct`);
  return Object.fromEntries(Object.entries<unknown>({ ...value }));
}

/** The four members that every message of the escrow ends with. Throws TypeError when one is absent. */
export function actionFieldsOf(message: MessageMembers): ActionFields {
  return {
    actionId: readBytes32(message, 'actionId'),
    requestDigest: readBytes32(message, 'requestDigest'),
    nonce: readUint(message, 'nonce'),
    validUntil: readUint(message, 'validUntil'),
  };
}

function readHex(message: MessageMembers, name: string, pattern: RegExp): Hex {
  const value = message[name];
  if (typeof value !== 'string' || !pattern.test(value) || !isHex(value)) {
    throw new TypeError(`The member ${name} is not of its type`);
  }
  return value;
}
