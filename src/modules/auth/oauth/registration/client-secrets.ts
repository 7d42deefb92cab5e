import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Sealer } from '../../../../platform/secrets/sealer.js';

const SECRET_BYTES = 32;

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
    return this.digest(clientId, secret).toString('base64url');
  }

  /** Constant-time comparison of a secret that was sent with what is stored. */
  matches(clientId: string, sent: string, stored: string): boolean {
    const expected = Buffer.from(stored, 'base64url');
    const actual = this.digest(clientId, sent);
    return expected.length === actual.length && timingSafeEqual(actual, expected);
  }

  /** A client's record as it is stored: the secret, if there is one, replaced by its hash. */
  protect<Payload extends { client_secret?: string | undefined }>(clientId: string, payload: Payload): Payload {
    if (payload.client_secret === undefined) return payload;
    return { ...payload, client_secret: this.hash(clientId, payload.client_secret) };
  }

  private digest(clientId: string, secret: string): Buffer {
    return this.sealer.hmac('client-secret', `${clientId}\n${secret}`);
  }
}
