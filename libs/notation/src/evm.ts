/** Bytes as text: `0x` and lower- or upper-case hexadecimal digits. */
export type Hex = `0x${string}`;

/** A 20-byte EVM address (docs/decisions/interface.md#types-on-the-wire). */
export const EVM_ADDRESS_PATTERN = /^0x[a-fA-F0-9]{40}$/;

/** A 32-byte digest (docs/decisions/interface.md#types-on-the-wire). */
export const BYTES32_PATTERN = /^0x[a-fA-F0-9]{64}$/;

const HEX_BYTES_PATTERN = /^0x(?:[a-fA-F0-9]{2})*$/;

/** True for `0x` and an even number of hexadecimal digits (none at all included). */
export function isHex(text: string): text is Hex {
  return HEX_BYTES_PATTERN.test(text);
}

/** The bytes a hexadecimal text stands for. Throws SyntaxError on anything but `0x` and whole bytes. */
export function hexToBytes(hex: string): Uint8Array {
  if (!isHex(hex)) throw new SyntaxError('Expected 0x and whole hexadecimal bytes');
  return Uint8Array.from({ length: hex.length / 2 - 1 }, (_, at) => parseInt(hex.slice(at * 2 + 2, at * 2 + 4), 16));
}

/** Lower-case `0x` text of the bytes. */
export function bytesToHex(bytes: Uint8Array): Hex {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
