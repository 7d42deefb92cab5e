import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type SecretAge, Sealer } from '../../../platform/secrets/sealer.js';

const SECRET_BYTES = 32;
/**
 * Prefix of a stored hash: number of the service's key that it was made with; absent on hashes older than this prefix.
 */
const KEY_NUMBER = /^\d+\./;

/**
 * Secrets of confidential applications. Each is stored as an HMAC that is bound to its application, so that write
 * access to the table does not allow using a secret, planting one, or copying one from another application.
 */
@Injectable()
export class ClientSecrets {
  constructor(private readonly sealer: Sealer) {}

  /** A new secret of 256 random bits. */
  mint(): string {
    return randomBytes(SECRET_BYTES).toString('base64url');
  }

  /** What is stored instead of the secret. */
  hash(clientId: string, secret: string): string {
    const digest = this.sealer.hmac('client-secret', hashed(clientId, secret)).toString('base64url');
    return `${this.currentPrefix}${digest}`;
  }

  /** Compares a sent secret with the stored hash in constant time, under every key of the service. */
  matches(clientId: string, sent: string, stored: string): boolean {
    return this.ageOf(clientId, sent, stored) !== null;
  }

  /** Returns a new hash to store when the sent secret is right and its stored hash is outdated; otherwise null. */
  renewed(clientId: string, sent: string, stored: string): string | null {
    const age = this.ageOf(clientId, sent, stored);
    if (age === null || (age === 'current' && stored.startsWith(this.currentPrefix))) return null;
    return this.hash(clientId, sent);
  }

  /** Prefix of all hashes made with the service's current key. */
  get currentPrefix(): string {
    return `${this.sealer.keyNumber('client-secret')}.`;
  }

  /** A client's record as it is stored, with the secret, if any, replaced by its hash. */
  protect<Payload extends { client_secret?: string | undefined }>(clientId: string, payload: Payload): Payload {
    if (payload.client_secret === undefined) return payload;
    return { ...payload, client_secret: this.hash(clientId, payload.client_secret) };
  }

  private ageOf(clientId: string, sent: string, stored: string): SecretAge | null {
    const digest = Buffer.from(stored.replace(KEY_NUMBER, ''), 'base64url');
    return this.sealer.match('client-secret', hashed(clientId, sent), digest);
  }
}

function hashed(clientId: string, secret: string): string {
  return `${clientId}\n${secret}`;
}
