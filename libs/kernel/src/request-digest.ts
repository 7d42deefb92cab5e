import { bytesToHex, type Hex, jcs } from '#libs/notation';
import { sha256 } from './byte-digest.js';

/**
 * `PreparedAction.request_digest`: SHA-256 of the canonical request body; of zero bytes when there was no body.
 * rule: docs/decisions/interface.md#request-digest. Errors as `jcs`.
 */
export function requestDigest(body: unknown): Hex {
  return body === undefined ? EMPTY_REQUEST_DIGEST : bytesToHex(sha256(jcs(body)));
}

/** The request digest of a request without a body. */
export const EMPTY_REQUEST_DIGEST: Hex = bytesToHex(sha256(''));
