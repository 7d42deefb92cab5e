import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { publicPath } from '../../../platform/pages/assets/public-path.js';
import type { WebhookEndpointEntity } from '../../webhooks/endpoints/webhook-endpoint.entity.js';
import { type AccountFrame, accountPage } from '../page-parts/account-page.js';
import { labelledField } from '../../../platform/pages/labelled-field.js';
import { formStart, postButton } from '../page-parts/post-button.js';
import { instant } from '../page-parts/utc-instant.js';
import type { ListedAttempt, OwnWebhook } from './account-webhooks.service.js';
import { makerWords, outcomeOf, stateWords, took, typesWords, webhookName } from './webhook-copy.js';
import { waitingWords } from './webhooks.page.js';

/** One page of an endpoint's attempts. */
interface AttemptList {
  readonly attempts: readonly ListedAttempt[];
  /** Cursor of the page with older ones; null: there are none. */
  readonly next: string | null;
}

/** The page of one endpoint: what it is, what can be done with it, and what was sent. */
export function webhookPage(frame: AccountFrame, webhook: OwnWebhook, list: AttemptList): string {
  const { endpoint, maker, missedSince } = webhook;
  const { url, types, waiting, createdAt, previousSecretUntil } = endpoint;
  const body = markup`<section class="card" aria-label="The endpoint">
<dl class="facts">
<dt>Address</dt><dd><code>${url}</code></dd>
<dt>State</dt><dd>${stateWords(endpoint)}</dd>
<dt>Made by</dt><dd>${makerWords(maker)}</dd>
<dt>Created</dt><dd>${instant(createdAt)}</dd>
<dt>Events</dt><dd>${typesWords(types)}</dd>
<dt>Waiting</dt><dd>${waitingWords(waiting)}</dd>
${missedSince === null ? markup`` : markup`<dt>Missed</dt><dd>Everything since ${instant(missedSince)}</dd>\n`}${previousSecretUntil === null ? markup`` : markup`<dt>Previous secret</dt><dd>Valid until ${instant(previousSecretUntil)}</dd>\n`}</dl>
</section>
${endpoint.status === 'enabled' ? whileOn(frame, webhook) : whileOff(frame, webhook)}${attempts(frame, endpoint, list)}`;
  return accountPage(frame, { path: '/account/webhooks', title: webhookName(endpoint), body });
}

function whileOn(frame: AccountFrame, webhook: OwnWebhook): SafeHtml {
  const path = pathOf(webhook);
  return markup`<div class="actions">
${postButton(frame, { path: `${path}/test`, text: 'Send a test event' })}${ownActions(frame, webhook)}${postButton(frame, { path: `${path}/disable`, text: 'Turn off' })}${deleteLink(frame, path)}</div>
${sendAgain(frame, webhook)}`;
}

function whileOff(frame: AccountFrame, webhook: OwnWebhook): SafeHtml {
  const path = pathOf(webhook);
  return markup`<div class="actions">
${postButton(frame, { path: `${path}/enable`, text: 'Turn on and send what it missed', values: { catch_up: 'yes' } })}${postButton(frame, { path: `${path}/enable`, text: 'Turn on from now' })}${ownActions(frame, webhook)}${deleteLink(frame, path)}</div>
<p class="hint">We keep events for 90 days.${isOfProgram(webhook) ? ' The program that made this endpoint can turn it on too. To stop it for good, revoke its key or application.' : ''}</p>
`;
}

/** What only the person does with an endpoint of the page; one that a program made is changed by that program. */
function ownActions(frame: AccountFrame, webhook: OwnWebhook): SafeHtml {
  if (webhook.maker.kind !== 'person') return markup``;
  const path = pathOf(webhook);
  return markup`<a class="button" href="${publicPath(frame.baseUrl, `${path}/change`)}">Change</a>
${postButton(frame, { path: `${path}/secret`, text: 'Replace the secret' })}`;
}

function deleteLink({ baseUrl }: AccountFrame, path: string): SafeHtml {
  return markup`<a class="button danger" href="${publicPath(baseUrl, `${path}/delete`)}">Delete</a>
`;
}

function sendAgain(frame: AccountFrame, webhook: OwnWebhook): SafeHtml {
  const path = pathOf(webhook);
  const since = {
    form: 'again',
    name: 'since',
    label: 'Everything since (UTC)',
    hint: 'At most 90 days back. Events keep their ids, so your server can tell those it has.',
    value: webhook.missedSince?.toISOString().slice(0, 19) ?? '',
    type: 'datetime-local' as const,
    attributes: markup` required step="1"`,
  };
  const isOpen = frame.problem?.field === 'again-since' || webhook.missedSince !== null;
  return markup`<section aria-labelledby="again">
<h2 id="again">Send events again</h2>
<div class="actions">
${postButton(frame, { path: `${path}/failed`, text: 'Send all that failed' })}</div>
<details class="group"${isOpen ? markup` open` : markup``}>
<summary class="button">Send everything since a time</summary>
${formStart(frame, `${path}/since`)}${labelledField(since, frame.problem)}<button>Send again</button>
</form>
</details>
</section>
`;
}

function attempts({ baseUrl }: AccountFrame, { id }: WebhookEndpointEntity, { attempts, next }: AttemptList): SafeHtml {
  if (attempts.length === 0) {
    return markup`<h2>Attempts</h2>
<p>Nothing was sent in the last 30 days.</p>
`;
  }
  const path = `/account/webhooks/${id}`;
  return markup`<h2>Attempts</h2>
<table>
<caption>Newest first; we keep them for 30 days</caption>
<thead><tr><th scope="col">When</th><th scope="col">Event and result</th></tr></thead>
<tbody>
${attempts.map((attempt) => row(publicPath(baseUrl, `${path}/attempts/${attempt.id}`), attempt))}</tbody>
</table>
${next === null ? markup`` : markup`<p><a class="button" href="${publicPath(baseUrl, `${path}?cursor=${encodeURIComponent(next)}`)}">Older attempts</a></p>\n`}`;
}

function row(href: string, attempt: ListedAttempt): SafeHtml {
  const { at, type, eventId, durationMs } = attempt;
  return markup`<tr><td>${instant(at)}</td>
<td><a href="${href}">${type ?? 'Event'} <span class="hint">${eventId}</span></a>
${outcomeOf(attempt)}, ${took(durationMs)}</td></tr>
`;
}

/** The page that asks whether an endpoint is to be deleted. */
export function deleteWebhookPage(frame: AccountFrame, { endpoint, maker }: OwnWebhook): string {
  const path = `/account/webhooks/${endpoint.id}`;
  const body = markup`<p class="lead">We will send nothing more to <code>${endpoint.url}</code>. You cannot undo this.</p>
${endpoint.waiting === 0 ? markup`` : markup`<p>${waitingWords(endpoint.waiting)} will not be sent again.</p>\n`}${isOfProgram({ maker }) ? markup`<p>${makerWords(maker)} made this endpoint, and can make another one.</p>\n` : markup``}<div class="actions">
${postButton(frame, { path: `${path}/delete`, text: 'Delete the endpoint', isFinal: true })}<a class="button" href="${publicPath(frame.baseUrl, path)}">Cancel</a>
</div>
`;
  return accountPage(frame, { path: '/account/webhooks', title: `Delete ${webhookName(endpoint)}?`, body });
}

/** True when a key or an application made the endpoint, and can still change it. */
function isOfProgram({ maker }: Pick<OwnWebhook, 'maker'>): boolean {
  return maker.kind === 'key' || maker.kind === 'application';
}

function pathOf({ endpoint }: OwnWebhook): string {
  return `/account/webhooks/${endpoint.id}`;
}
