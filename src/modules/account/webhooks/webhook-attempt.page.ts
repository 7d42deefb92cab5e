import { markHidden } from '#libs/kernel';
import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { publicPath } from '../../../platform/pages/assets/public-path.js';
import { type AccountFrame, accountPage } from '../page-parts/account-page.js';
import { postButton } from '../page-parts/post-button.js';
import { instant } from '../page-parts/utc-instant.js';
import type { OwnAttempt, OwnWebhook } from './account-webhooks.service.js';
import { outcomeOf, took, webhookName } from './webhook-copy.js';

/** The page of one attempt: what was sent, and what the receiver answered, which is a text of others. */
export function webhookAttemptPage(
  frame: AccountFrame,
  { endpoint }: OwnWebhook,
  { attempt, type, body: sent }: OwnAttempt,
): string {
  const back = publicPath(frame.baseUrl, `/account/webhooks/${endpoint.id}`);
  const body = markup`<dl class="facts">
<dt>Endpoint</dt><dd><a href="${back}"><bdi>${webhookName(endpoint)}</bdi></a></dd>
<dt>When</dt><dd>${instant(attempt.at)}</dd>
<dt>Event</dt><dd>${type === null ? markup`` : markup`<code>${type}</code><br>\n`}<code>${attempt.eventId}</code></dd>
<dt>Result</dt><dd>${outcomeOf(attempt)}</dd>
<dt>Duration</dt><dd>${took(attempt.durationMs)}</dd>
</dl>
<h2>What we sent</h2>
${sent === null ? markup`<p>The event is too old: we keep events for 90 days.</p>\n` : markup`<pre>${markHidden(sent)}</pre>\n`}<h2>What the server answered</h2>
${answerOf(attempt)}${again(frame, endpoint.status === 'enabled' && sent !== null, attempt)}`;
  return accountPage(frame, { path: '/account/webhooks', title: 'Delivery attempt', body });
}

function answerOf({ httpStatus, answer }: OwnAttempt['attempt']): SafeHtml {
  if (httpStatus === null) return markup`<p>Nothing.</p>\n`;
  if (answer === '') return markup`<p>Status ${httpStatus}, with an empty body.</p>\n`;
  return markup`<p>Status ${httpStatus}. The first 4 KB of the body:</p>
<pre>${markHidden(answer)}</pre>
`;
}

function again(frame: AccountFrame, canSend: boolean, { endpointId, eventId }: OwnAttempt['attempt']): SafeHtml {
  if (!canSend) return markup``;
  return markup`<div class="actions">
${postButton(frame, {
  path: `/account/webhooks/${endpointId}/replay`,
  text: 'Send this event again',
  values: { event_id: eventId },
})}</div>
`;
}
