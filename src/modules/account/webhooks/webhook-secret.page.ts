import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { publicPath } from '../../../platform/pages/assets/public-path.js';
import type { WebhookEndpointEntity } from '../../webhooks/endpoints/webhook-endpoint.entity.js';
import { type AccountFrame, accountPage } from '../page-parts/account-page.js';
import { instant } from '../page-parts/utc-instant.js';

/** An endpoint and its new secret. */
export interface NewWebhookSecret {
  readonly endpoint: WebhookEndpointEntity;
  readonly secret: string;
}

/** Shows the secret of an endpoint, once. */
export function webhookSecretPage(frame: AccountFrame, { endpoint, secret }: NewWebhookSecret): string {
  const body = markup`<div class="notice warn" role="alert">
<p><strong>Copy this now. We show it once and cannot show it again.</strong></p>
</div>
<p>Your server at <code>${endpoint.url}</code> checks with it that an event comes from us. Any library of Standard Webhooks
does that.</p>
${overlap(endpoint)}<div class="field">
<label for="secret">Secret</label>
<textarea class="mono" id="secret" readonly rows="2" autocomplete="off" autocapitalize="none"
spellcheck="false" translate="no">${secret}</textarea>
</div>
<p><a class="button" href="${publicPath(frame.baseUrl, `/account/webhooks/${endpoint.id}`)}">I have copied it</a></p>
`;
  return accountPage(frame, { path: '/account/webhooks', title: 'Your webhook secret', body });
}

function overlap({ previousSecretUntil }: WebhookEndpointEntity): SafeHtml {
  if (previousSecretUntil === null) return markup``;
  return markup`<p>Until ${instant(previousSecretUntil)} we sign with the previous secret too.</p>
`;
}
