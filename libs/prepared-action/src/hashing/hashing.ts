import { bytesToHex, type Hex, hexToBytes, jcs } from '#libs/notation';
import { keccak256 } from './keccak.js';
import { sha256 } from './sha256.js';

/** keccak256 of the UTF-8 bytes of a text: the id on chain of an action or a tree. */
export function keccakText(text: string): Hex {
  return bytesToHex(keccak256(new TextEncoder().encode(text)));
}

/** keccak256 of hexadecimal parts, one after the other. Throws SyntaxError on a part that is no hexadecimal. */
export function keccakHex(...parts: readonly Hex[]): Hex {
  return bytesToHex(keccak256(Uint8Array.from(parts.flatMap((part) => [...hexToBytes(part)]))));
}

/** SHA-256 of bytes, such as those of an artifact. */
export function sha256Hex(bytes: Uint8Array): Hex {
  return bytesToHex(sha256(bytes));
}

/** SHA-256 of the UTF-8 bytes of a text. */
export function sha256Text(text: string): Hex {
  return bytesToHex(sha256(new TextEncoder().encode(text)));
}

/**
 * `PreparedAction.request_digest` of a body as it was sent; undefined: there was none.
 * rule: docs/decisions/interface.md#request-digest. Errors as `jcs`.
 */
export function requestDigestOf(body: unknown): Hex {
  return sha256Text(body === undefined ? '' : jcs(body));
}
