import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { oneLine } from '../../../platform/pages/one-line.js';
import { publicPath } from '../../../platform/pages/assets/public-path.js';
import { MAX_ENDPOINTS } from '../../webhooks/endpoints/webhook-endpoints.service.js';
import { type AccountFrame, accountPage } from '../page-parts/account-page.js';
import { instant } from '../page-parts/utc-instant.js';
import type { OwnWebhook } from './account-webhooks.service.js';
import { stoppedWebhooks } from './stopped-webhooks.js';
import { isQuiet, makerWords, outcomeOf, stateTag, stateWords, typesWords, webhookName } from './webhook-copy.js';

/** The page of an account's webhook endpoints. */
export function webhooksPage(frame: AccountFrame, webhooks: readonly OwnWebhook[]): string {
  const body = markup`<p class="lead">We send events to these addresses as they happen, signed, so that your server need not ask.</p>
${stoppedWebhooks(frame, webhooks)}${newLink(frame, webhooks.length)}${webhooks.length === 0 ? markup`<p>You have no webhook endpoints.</p>\n` : webhooks.map((webhook) => card(frame, webhook))}`;
  return accountPage(frame, { path: '/account/webhooks', title: 'Webhooks', body });
}

function card({ baseUrl }: AccountFrame, { endpoint, maker, latest }: OwnWebhook): SafeHtml {
  const { id, url, types, waiting } = endpoint;
  const name = webhookName(endpoint);
  return markup`<section class="card" aria-labelledby="name-${id}">
<h2 id="name-${id}"><bdi>${name}</bdi> ${stateTag(endpoint)}</h2>
<dl class="facts">
<dt>Address</dt><dd><code>${oneLine(url)}</code></dd>
${isQuiet(endpoint) ? markup`` : markup`<dt>State</dt><dd>${stateWords(endpoint)}</dd>\n`}<dt>Made by</dt><dd>${makerWords(maker)}</dd>
<dt>Events</dt><dd>${typesWords(types)}</dd>
<dt>Last delivery</dt><dd>${latest === null ? markup`None in 30 days` : markup`${instant(latest.at)}: ${outcomeOf(latest)}`}</dd>
<dt>Waiting</dt><dd>${waitingWords(waiting)}</dd>
</dl>
<p><a class="button" href="${publicPath(baseUrl, `/account/webhooks/${id}`)}" aria-label="Open: ${name}">Open</a></p>
</section>
`;
}

/** How many events wait to be sent again. */
export function waitingWords(waiting: number): string {
  if (waiting === 0) return 'Nothing';
  return waiting === 1 ? 'One event that failed' : `${waiting} events that failed`;
}

function newLink({ baseUrl }: AccountFrame, count: number): SafeHtml {
  if (count >= MAX_ENDPOINTS) {
    return markup`<p>You have ${MAX_ENDPOINTS} endpoints, the most an account can have. Delete one to create another.</p>
`;
  }
  return markup`<p><a class="button" href="${publicPath(baseUrl, '/account/webhooks/new')}">Create an endpoint</a></p>
`;
}
