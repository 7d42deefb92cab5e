import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../platform/http/public-route.decorator.js';
import { WebhookSigningKeys } from './signing/webhook-signing-keys.js';

/** The public keys that verify the `v1a` signatures of deliveries. */
@ApiExcludeController()
@Controller({ path: '.well-known', version: VERSION_NEUTRAL })
export class WebhookKeysController {
  constructor(private readonly keys: WebhookSigningKeys) {}

  /** `whpk_` and base64 is how Standard Webhooks writes a public key. */
  @Get('webhook-keys')
  @Public('public keys')
  async listWebhookKeys(): Promise<object> {
    const published = await this.keys.published();
    const keys = published.map(({ id, publicKey }) => ({
      id,
      algorithm: 'ed25519',
      public_key: `whpk_${publicKey.toString('base64')}`,
    }));
    return { keys };
  }
}
