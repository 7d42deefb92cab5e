import { createHash } from 'node:crypto';

/** SHA-256 of bytes, or of the UTF-8 bytes of a text: 32 bytes. */
export function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}

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
