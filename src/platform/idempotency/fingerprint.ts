import { type Hex, hexToBytes, lengthPrefixedHash } from '#libs/kernel';

const PARAMETER = /:([A-Za-z_]\w*)/g;

/**
 * The path that a request is bound to: the route's template with the decoded parameters, so that neither the query,
 * the mount prefix nor another spelling of the same octets (`t%31`) makes it another request.
 * @throws Error when the template has a parameter that the route did not yield.
 */
export function canonicalPath(template: string, params: Readonly<Record<string, unknown>>): string {
  return template.replace(PARAMETER, (_, name: string) => {
    const value = params[name];
    if (typeof value !== 'string') throw new Error(`The route ${template} yields no parameter ${name}`);
    return encodeURIComponent(value);
  });
}

/**
 * Where a key is looked up (32 bytes): the same text of another principal or operation is another key.
 * rule: docs/decisions/http.md#idempotency-keys
 * @param key the header's octets, one per character.
 */
export function scopeHash(accountId: string, operationId: string, key: string): Buffer {
  return lengthPrefixedHash('idem/1', accountId, operationId, Buffer.from(key, 'latin1'));
}

/**
 * What a key is bound to by its first use (32 bytes): the canonical path and the digest of the body.
 * rule: docs/decisions/http.md#idempotency-keys
 */
export function requestFingerprint(path: string, requestDigest: Hex): Buffer {
  return lengthPrefixedHash('idem-fp/1', path, hexToBytes(requestDigest));
}
