import { randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { sha256 } from '../../support/oauth/access-token-rows.js';

/** The request that a proof is for. */
export interface ProofUse {
  method?: string;
  /** Public URL without query. */
  url: string;
  token: string;
  jti?: string;
  /** Further claims. */
  claims?: Record<string, unknown>;
}

/** A client's key for DPoP (RFC 9449). */
export class ProofKey {
  private constructor(
    private readonly key: CryptoKey,
    private readonly jwk: JWK,
    private readonly alg: string,
    /** `jkt` of the tokens that are bound to the key. */
    readonly thumbprint: string,
  ) {}

  static async make(alg: 'ES256' | 'EdDSA' = 'ES256'): Promise<ProofKey> {
    const { publicKey, privateKey } = await generateKeyPair(alg);
    const jwk = await exportJWK(publicKey);
    return new ProofKey(privateKey, jwk, alg, await calculateJwkThumbprint(jwk));
  }

  proof({ method = 'GET', url, token, jti = randomUUID(), claims = {} }: ProofUse): Promise<string> {
    const ath = sha256(token).toString('base64url');
    const iat = Math.floor(Date.now() / 1000);
    return new SignJWT({ htm: method, htu: url, ath, jti, iat, ...claims })
      .setProtectedHeader({ typ: 'dpop+jwt', alg: this.alg, jwk: this.jwk })
      .sign(this.key);
  }
}
