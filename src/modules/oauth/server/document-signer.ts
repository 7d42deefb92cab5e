import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { FlattenedSign, importJWK } from 'jose';
import { LRUCache } from 'lru-cache';
import { Environment } from '../../../platform/config/environment.js';
import { OAUTH_PATHS } from '../protocol/oauth-paths.js';
import { OAuthProvider } from './oauth-provider.js';

/** A signature without its payload (RFC 7515, section 7.2.2), in the members that a document carries it in. */
export interface DocumentSignature {
  readonly protected: string;
  readonly signature: string;
}

/** Signatures that are kept: about 400 bytes each. */
const KEPT = 2_000;

/**
 * Signs documents of the service with the key that its key set publishes (`/oauth/jwks`), which whoever gets the
 * signature is referred to. A document is never a token: its members are chosen here, and `iss`, `aud` and `exp` are not
 * among them.
 */
@Injectable()
export class DocumentSigner {
  /** ECDSA signs the same text differently each time, and an answer that changes has another `ETag`. */
  private readonly known = new LRUCache<string, DocumentSignature>({ max: KEPT });

  constructor(
    private readonly provider: OAuthProvider,
    private readonly environment: Environment,
  ) {}

  /** @param text canonical JSON (RFC 8785) of what is signed. */
  async sign(text: string): Promise<DocumentSignature> {
    const key = this.provider.signingKey;
    const id = `${key.kid} ${hash('sha256', text, 'base64url')}`;
    const known = this.known.get(id);
    if (known) return known;
    const header = { alg: key.alg, typ: 'JOSE', kid: key.kid, jku: this.environment.baseUrl + OAUTH_PATHS.jwks };
    const jws = await new FlattenedSign(Buffer.from(text, 'utf8'))
      .setProtectedHeader(header)
      .sign(await importJWK({ ...key }, key.alg));
    const signature = { protected: jws.protected ?? '', signature: jws.signature };
    this.known.set(id, signature);
    return signature;
  }
}
