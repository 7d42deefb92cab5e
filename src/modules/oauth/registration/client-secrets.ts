import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type SecretAge, Sealer } from '../../../platform/secrets/sealer.js';

const SECRET_BYTES = 32;
/** Which secret of the service a hash was made under; absent on those from before it was kept. */
const KEY_NUMBER = /^\d+\./;

/**
 * Secrets of confidential applications. At rest each is an HMAC that is bound to its application, so that who can
 * write to the table can neither use a secret, nor plant one, nor carry one over from another application.
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

  /** Constant-time comparison of a secret that was sent with what is stored, under whichever secret of the service. */
  matches(clientId: string, sent: string, stored: string): boolean {
    return this.ageOf(clientId, sent, stored) !== null;
  }

  /** What is to be stored now that the client has sent its secret; null = it is not its secret, or stored so already. */
  renewed(clientId: string, sent: string, stored: string): string | null {
    const age = this.ageOf(clientId, sent, stored);
    if (age === null || (age === 'current' && stored.startsWith(this.currentPrefix))) return null;
    return this.hash(clientId, sent);
  }

  /** How everything begins that is stored under the current secret of the service. */
  get currentPrefix(): string {
    return `${this.sealer.keyNumber('client-secret')}.`;
  }

  /** A client's record as it is stored: the secret, if there is one, replaced by its hash. */
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
