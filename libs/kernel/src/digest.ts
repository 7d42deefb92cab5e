import { createHash } from 'node:crypto';
import { bytesToHex, type Hex } from './evm.js';

/** Deepest nesting that is canonicalised; a request body that nests deeper is hostile. */
const MAX_DEPTH = 256;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** SHA-256 of bytes, or of the UTF-8 bytes of a text: 32 bytes. */
export function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}

/**
 * Canonical JSON text of a value (RFC 8785): members sorted by UTF-16 code units, no blanks, numbers as ECMAScript
 * writes them. Members whose value is `undefined` are left out, as `JSON.stringify` does. Throws RangeError on a
 * number that is not finite, TypeError on lone surrogates and on anything that JSON has no form for, RangeError when
 * nested deeper than 256.
 */
export function jcs(value: unknown): string {
  return canonical(value, 0);
}

/**
 * `PreparedAction.request_digest`: SHA-256 of the canonical request body; of zero bytes when there was no body.
 * rule: design/interface.md §8. Errors as `jcs`.
 */
export function requestDigest(body: unknown): Hex {
  return body === undefined ? EMPTY_REQUEST_DIGEST : bytesToHex(sha256(jcs(body)));
}

/** The request digest of a request without a body. */
export const EMPTY_REQUEST_DIGEST: Hex = bytesToHex(sha256(''));

/**
 * SHA-256 (32 bytes) over the label and the parts, each preceded by its byte length (32 bits, big-endian), so that
 * neither two different lists of parts nor two different uses (labels) ever hash the same bytes.
 */
export function lengthPrefixedHash(label: string, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of [label, ...parts]) {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'utf8') : part;
    const length = Buffer.allocUnsafe(4);
    length.writeUInt32BE(bytes.byteLength);
    hash.update(length).update(bytes);
  }
  return hash.digest();
}

function canonical(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw new RangeError(`JSON nested deeper than ${MAX_DEPTH}`);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return canonicalString(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError('JSON has no form for a number that is not finite');
    return JSON.stringify(value);
  }
  if (typeof value !== 'object') throw new TypeError(`JSON has no form for ${typeof value}`);
  if (!Array.isArray(value)) return canonicalObject(value, depth);
  return `[${Array.from(value, (item) => canonical(item, depth + 1)).join(',')}]`;
}

function canonicalObject(value: object, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('JSON objects are plain objects');
  const members: string[] = [];
  // The default order of `sort` is that of UTF-16 code units, which RFC 8785 asks for.
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, member] of entries) {
    if (member !== undefined) members.push(`${canonicalString(name)}:${canonical(member, depth + 1)}`);
  }
  return `{${members.join(',')}}`;
}

function canonicalString(text: string): string {
  if (LONE_SURROGATE.test(text)) throw new TypeError('JSON text must not hold lone surrogates');
  return JSON.stringify(text);
}
