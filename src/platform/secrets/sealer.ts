import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { Environment } from '../config/environment.js';

/** What a derived key is for; one key per purpose, so that nothing sealed for one can be opened for another. */
export type SecretPurpose =
  | 'cursor'
  | 'cursor-nonce'
  | 'idempotency-body'
  | 'signing-link'
  | 'paymaster-link'
  | 'preview-link'
  | 'api-key-pepper'
  | 'custody-receipt'
  | 'artifact-link'
  | 'form-token'
  | 'oauth-cookies'
  | 'oauth-signing-key'
  | 'client-secret'
  | 'dpop-nonce'
  | 'credential-tag'
  | 'trust-cohort'
  | 'webhook-secret'
  | 'webhook-signing-key';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Greatest value of a column of four bytes. */
const MAX_INTEGER = 2 ** 31 - 1;
/** Random bytes are drawn in lots, because each draw costs a system call. */
const NONCES_PER_DRAW = 256;

/**
 * The secret that something stored was made with: APP_SECRET (`current`), or one of APP_SECRET_PREVIOUS (`previous`).
 */
export type SecretAge = 'current' | 'previous';

/**
 * Authenticated encryption (AES-256-GCM) and keyed hashes under keys derived by HKDF-SHA-256. Whatever is new is made
 * under APP_SECRET; what was made under one of APP_SECRET_PREVIOUS is still read.
 */
export class Sealer {
  /** The current secret first; never the same one twice. */
  private readonly ring: readonly string[];
  /** Keys of each purpose, in the order of the ring. */
  private readonly keys = new Map<SecretPurpose, readonly [KeyObject, ...KeyObject[]]>();
  private random = Buffer.alloc(0);

  constructor({ appSecret, appSecretPrevious }: Pick<Environment, 'appSecret' | 'appSecretPrevious'>) {
    this.ring = [...new Set([appSecret, ...appSecretPrevious])];
  }

  /** Seals `plain`; it opens only with the same purpose and `binding`. */
  seal(purpose: SecretPurpose, plain: Buffer, binding: string): Buffer {
    return this.sealWith(this.nextNonce(), purpose, plain, binding);
  }

  /**
   * As `seal`, but the same each time, in every process with the same secret. Whoever sees two of them learns whether they
   * are equal, and nothing else: the nonce is a keyed digest of all that is sealed, under a key of its own, so that no two
   * texts share one (the construction of RFC 5297, with HMAC).
   */
  sealAlike(purpose: 'cursor', plain: Buffer, binding: string): Buffer {
    const nonce = createHmac('sha256', this.keysOf(`${purpose}-nonce`)[0])
      // The length keeps the two parts apart.
      .update(`${plain.length} `, 'utf8')
      .update(plain)
      .update(binding, 'utf8')
      .digest()
      .subarray(0, NONCE_BYTES);
    return this.sealWith(nonce, purpose, plain, binding);
  }

  /** The sealed text, or null for anything that was not sealed here for this purpose and binding. */
  open(purpose: SecretPurpose, sealed: Buffer, binding: string): Buffer | null {
    return this.unseal(purpose, sealed, binding)?.plain ?? null;
  }

  /** As `open`, and under which secret it was sealed. */
  unseal(purpose: SecretPurpose, sealed: Buffer, binding: string): { plain: Buffer; age: SecretAge } | null {
    if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
    for (const [position, key] of this.keysOf(purpose).entries()) {
      const plain = decipher(key, sealed, binding);
      if (plain) return { plain, age: ageOf(position) };
    }
    return null;
  }

  /** HMAC-SHA-256 under the purpose's key of the current secret. */
  hmac(purpose: SecretPurpose, data: string): Buffer {
    return digest(this.keysOf(purpose)[0], data);
  }

  /** The same under each secret, the current one first: to look up what may have been stored under any. */
  hmacs(purpose: SecretPurpose, data: string): Buffer[] {
    return this.keysOf(purpose).map((key) => digest(key, data));
  }

  /** Under which secret `stored` is the HMAC of `data`, or null; every one is compared, each in constant time. */
  match(purpose: SecretPurpose, data: string, stored: Buffer): SecretAge | null {
    const fits = this.hmacs(purpose, data).map(
      (expected) => expected.length === stored.length && timingSafeEqual(expected, stored),
    );
    const position = fits.indexOf(true);
    return position === -1 ? null : ageOf(position);
  }

  /**
   * A number that tells this purpose's current key from those before it, to be stored beside an HMAC whose data is not
   * known; from 2 to 2^31 - 1, since 1 marks what was stored before secrets were told apart. It reveals nothing of the
   * key.
   */
  keyNumber(purpose: SecretPurpose): number {
    return Math.min((this.hmac(purpose, 'key number').readUInt32BE(0) >>> 1) + 2, MAX_INTEGER);
  }

  private sealWith(nonce: Buffer, purpose: SecretPurpose, plain: Buffer, binding: string): Buffer {
    const cipher = createCipheriv('aes-256-gcm', this.keysOf(purpose)[0], nonce);
    cipher.setAAD(Buffer.from(binding, 'utf8'));
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  }

  /** 96 random bits that are used once. */
  private nextNonce(): Buffer {
    if (this.random.length === 0) this.random = randomBytes(NONCES_PER_DRAW * NONCE_BYTES);
    const nonce = this.random.subarray(0, NONCE_BYTES);
    this.random = this.random.subarray(NONCE_BYTES);
    return nonce;
  }

  private keysOf(purpose: SecretPurpose): readonly [KeyObject, ...KeyObject[]] {
    const known = this.keys.get(purpose);
    if (known) return known;
    const [first, ...others] = this.ring.map((secret) => derive(secret, purpose));
    if (!first) throw new Error('There is no secret to derive keys from');
    this.keys.set(purpose, [first, ...others]);
    return [first, ...others];
  }
}

function derive(secret: string, purpose: SecretPurpose): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'tasktree', purpose, 32)));
}

function digest(key: KeyObject, data: string): Buffer {
  return createHmac('sha256', key).update(data, 'utf8').digest();
}

/** Null when it was not sealed under this key with this binding. */
function decipher(key: KeyObject, sealed: Buffer, binding: string): Buffer | null {
  const opening = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES));
  opening.setAAD(Buffer.from(binding, 'utf8'));
  opening.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  try {
    const plain = opening.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES));
    return Buffer.concat([plain, opening.final()]);
  } catch {
    return null;
  }
}

function ageOf(position: number): SecretAge {
  return position === 0 ? 'current' : 'previous';
}
