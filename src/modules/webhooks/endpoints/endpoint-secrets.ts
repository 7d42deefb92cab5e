import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Sealer } from '../../../platform/secrets/sealer.js';
import type { WebhookEndpointEntity } from './webhook-endpoint.entity.js';

/** How secrets begin. rule: Standard Webhooks, "Signature scheme" */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** The columns in which the secrets of an endpoint are. */
export type SealedSecrets = Pick<
  WebhookEndpointEntity,
  'id' | 'secretSealed' | 'previousSecretSealed' | 'previousSecretUntil'
>;

/** Makes, seals and opens the secrets of endpoints. Each is shown once and stored only sealed. */
@Injectable()
export class EndpointSecrets {
  constructor(private readonly sealer: Sealer) {}

  /** A new secret of an endpoint: what is shown, and what is stored. */
  make(endpointId: string): { shown: string; sealed: Buffer } {
    const shown = PREFIX + randomBytes(SECRET_BYTES).toString('base64');
    return { shown, sealed: this.sealer.seal('webhook-secret', Buffer.from(shown, 'utf8'), endpointId) };
  }

  /**
   * The secrets that sign at this moment, the newest first. A previous one that cannot be opened is left out, so that a
   * rotation mends an endpoint at once. @throws Error when APP_SECRET was changed without its predecessor.
   */
  signing({ id, secretSealed, previousSecretSealed, previousSecretUntil }: SealedSecrets, now: Date): string[] {
    const both = previousSecretSealed && previousSecretUntil && previousSecretUntil > now;
    const [secret, previous] = [secretSealed, both ? previousSecretSealed : null].map((sealed) =>
      sealed === null ? null : this.sealer.open('webhook-secret', sealed, id),
    );
    if (!secret) throw new Error('A webhook secret cannot be opened: APP_SECRET was changed');
    return [secret, ...(previous ? [previous] : [])].map((one) => one.toString('utf8'));
  }
}
