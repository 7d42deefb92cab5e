import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';

/** What a derived key is for; one key per purpose, so that nothing sealed for one can be opened for another. */
export type SecretPurpose =
  | 'cursor'
  | 'idempotency-body'
  | 'signing-link'
  | 'preview-link'
  | 'api-key-pepper'
  | 'custody-receipt'
  | 'artifact-link'
  | 'form-token'
  | 'oauth-cookies'
  | 'oauth-signing-key'
  | 'client-secret'
  | 'dpop-nonce'
  | 'trust-cohort';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Random bytes are drawn in lots: each draw costs a system call, and every page of a list seals a cursor. */
const NONCES_PER_DRAW = 256;

/** Authenticated encryption (AES-256-GCM) and keyed hashes under keys derived from APP_SECRET by HKDF-SHA-256. */
@Injectable()
export class Sealer {
  private readonly keys = new Map<SecretPurpose, KeyObject>();
  private random = Buffer.alloc(0);

  constructor(private readonly environment: Environment) {}

  /** Seals `plain`; it opens only with the same purpose and `binding`. */
  seal(purpose: SecretPurpose, plain: Buffer, binding: string): Buffer {
    const nonce = this.nextNonce();
    const cipher = createCipheriv('aes-256-gcm', this.key(purpose), nonce);
    cipher.setAAD(Buffer.from(binding, 'utf8'));
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  }

  /** The sealed text, or null for anything that was not sealed here for this purpose and binding. */
  open(purpose: SecretPurpose, sealed: Buffer, binding: string): Buffer | null {
    if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
    const decipher = createDecipheriv('aes-256-gcm', this.key(purpose), sealed.subarray(0, NONCE_BYTES));
    decipher.setAAD(Buffer.from(binding, 'utf8'));
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
    try {
      const plain = decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES));
      return Buffer.concat([plain, decipher.final()]);
    } catch {
      return null;
    }
  }

  /** HMAC-SHA-256 under the purpose's key. */
  hmac(purpose: SecretPurpose, data: string): Buffer {
    return createHmac('sha256', this.key(purpose)).update(data, 'utf8').digest();
  }

  /** 96 random bits that are used once. */
  private nextNonce(): Buffer {
    if (this.random.length === 0) this.random = randomBytes(NONCES_PER_DRAW * NONCE_BYTES);
    const nonce = this.random.subarray(0, NONCE_BYTES);
    this.random = this.random.subarray(NONCE_BYTES);
    return nonce;
  }

  private key(purpose: SecretPurpose): KeyObject {
    const known = this.keys.get(purpose);
    if (known) return known;
    const derived = createSecretKey(
      Buffer.from(hkdfSync('sha256', this.environment.appSecret, 'tasktree', purpose, 32)),
    );
    this.keys.set(purpose, derived);
    return derived;
  }
}
