import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/time/clock.js';
import { EndpointSecrets } from '../endpoints/endpoint-secrets.js';
import { signedHeaders } from '../signing/signature.js';
import { WebhookSigningKeys } from '../signing/webhook-signing-keys.js';
import type { HeldEndpoint } from './delivery.sql.js';
import { type SendOutcome, WebhookSender } from './webhook-sender.js';

/** Signs deliveries, and sends them. */
@Injectable()
export class SignedSender {
  constructor(
    private readonly sender: WebhookSender,
    private readonly secrets: EndpointSecrets,
    private readonly keys: WebhookSigningKeys,
    private readonly clock: Clock,
  ) {}

  /** As `WebhookSender.send`. @throws Error when a secret or the key cannot be opened. */
  async send(endpoint: HeldEndpoint, eventId: string, body: string): Promise<SendOutcome | null> {
    const sealed = {
      id: endpoint.id,
      secretSealed: endpoint.secret_sealed,
      previousSecretSealed: endpoint.previous_secret_sealed,
      previousSecretUntil: endpoint.previous_secret_until,
    };
    // The wall's clock: receivers refuse what is not of these five minutes, and know no other.
    const message = { id: eventId, atMs: this.clock.wallMs(), body };
    const secrets = this.secrets.signing(sealed, this.clock.now());
    return this.sender.send(endpoint.url, signedHeaders(message, secrets, await this.keys.current()), body);
  }
}
