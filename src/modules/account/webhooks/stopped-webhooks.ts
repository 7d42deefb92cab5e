import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { publicPath } from '../../../platform/pages/assets/public-path.js';
import { type FormMaker, postButton } from '../page-parts/post-button.js';
import { instant } from '../page-parts/utc-instant.js';
import type { WebhookState } from './account-webhooks.service.js';
import { isStopped, webhookName, whyOff } from './webhook-copy.js';

/** Notices about endpoints that failed until they were turned off, each with the way to lose nothing. */
export function stoppedWebhooks(maker: FormMaker, webhooks: readonly WebhookState[]): SafeHtml {
  return markup`${webhooks.filter(({ endpoint }) => isStopped(endpoint)).map((webhook) => stopped(maker, webhook))}`;
}

function stopped(maker: FormMaker, { endpoint, missedSince }: WebhookState): SafeHtml {
  const name = webhookName(endpoint);
  const path = `/account/webhooks/${endpoint.id}`;
  return markup`<section class="notice bad" aria-label="A webhook endpoint was turned off">
<p><strong>The webhook endpoint <bdi>${name}</bdi> is off</strong>${endpoint.disabledAt === null ? markup`` : markup` since ${instant(endpoint.disabledAt)}`}:
${whyOff(endpoint)}. ${missedSince === null ? markup`` : markup`It misses events since ${instant(missedSince)}; we keep them for 90 days.`}</p>
<div class="actions">
${postButton(maker, {
  path: `${path}/enable`,
  text: 'Turn on and send what it missed',
  about: name,
  values: { catch_up: 'yes' },
})}<a class="button" href="${publicPath(maker.baseUrl, path)}" aria-label="See what failed: ${name}">See what failed</a></div>
</section>
`;
}
