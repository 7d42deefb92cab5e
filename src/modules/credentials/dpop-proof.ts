import { hash } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, errors, type JWTPayload, jwtVerify } from 'jose';

/** Signature algorithms for proofs: asymmetric, each with fixed parameters. */
export const DPOP_ALGORITHMS = ['ES256', 'EdDSA'] as const;

/** Seconds by which a proof's time may differ from now (RFC 9449 §11.1). */
export const PROOF_WINDOW_SECONDS = 60;

/** What a proof must have been made for. */
export interface ProvenRequest {
  readonly method: string;
  /** Public URL of the request; its query is ignored. */
  readonly url: string;
  readonly token: string;
  readonly now: Date;
}

/**
 * A proof that is valid for the request. The caller must still check that it was not used before and that the key is
 * the token's.
 */
export interface CheckedProof {
  /** Thumbprint of the proof's key (RFC 7638): base64url SHA-256. */
  readonly thumbprint: string;
  readonly jti: string;
  /** Seconds since the epoch. */
  readonly issuedAt: number;
}

/** A proof is not valid. The message repeats nothing of the input. */
export class ProofFault extends Error {}

const COMPACT_JWS = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/**
 * Checks a DPoP proof by the list of RFC 9449 §4.3, except for its single use. A `nonce` is accepted and ignored: the
 * authorization server at the same origin issues nonces, and clients send the last one everywhere. Here only the time
 * counts.
 * @throws ProofFault.
 */
export async function checkProof(proof: string, request: ProvenRequest): Promise<CheckedProof> {
  const { payload, protectedHeader } = await verifySignature(proof, request.now);
  const { jti, iat, nonce } = payload;
  if (typeof jti !== 'string' || jti === '') throw new ProofFault('The proof has no jti.');
  if (typeof iat !== 'number') throw new ProofFault('The proof has no iat.');
  if (nonce !== undefined && typeof nonce !== 'string') throw new ProofFault("The proof's nonce is not a text.");
  if (Math.abs(request.now.getTime() / 1000 - iat) > PROOF_WINDOW_SECONDS) {
    throw new ProofFault(`The proof's iat is more than ${PROOF_WINDOW_SECONDS} seconds away from now.`);
  }
  requireRequest(payload, request);
  const { jwk } = protectedHeader;
  if (jwk === undefined) throw new ProofFault('The proof holds no key.');
  return { thumbprint: await calculateJwkThumbprint(jwk, 'sha256'), jti, issuedAt: iat };
}

async function verifySignature(proof: string, currentDate: Date) {
  // Two headers of one name arrive joined by a comma.
  if (!COMPACT_JWS.test(proof)) throw new ProofFault('The DPoP header is not exactly one proof.');
  try {
    return await jwtVerify(proof, EmbeddedJWK, { algorithms: [...DPOP_ALGORITHMS], typ: 'dpop+jwt', currentDate });
  } catch (error) {
    // `jose` and WebCrypto throw these for a bad token, header or key; any other error is a fault of this service.
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException) {
      throw new ProofFault(
        `The proof is not of type dpop+jwt, signed with ${DPOP_ALGORITHMS.join(' or ')} by the public key inside it.`,
      );
    }
    throw error;
  }
}

function requireRequest({ htm, htu, ath }: JWTPayload, { method, url, token }: ProvenRequest): void {
  if (htm !== method) throw new ProofFault("The proof's htm is not the method of this request.");
  if (typeof htu !== 'string' || bareUrl(htu) !== bareUrl(url)) {
    throw new ProofFault("The proof's htu is not the public URL of this request.");
  }
  if (ath !== hash('sha256', token, 'base64url')) throw new ProofFault("The proof's ath is not of this token.");
}

/** Normalised, without query and fragment; null for a text that is no URL. */
function bareUrl(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  url.search = '';
  url.hash = '';
  return url.href;
}
