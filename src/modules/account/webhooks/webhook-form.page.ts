import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { publicPath } from '../../../platform/pages/assets/public-path.js';
import type { EventType } from '../../events/catalogue/event.js';
import { EVENTS } from '../../events/catalogue/event-types.js';
import { MAX_DESCRIPTION } from '../../webhooks/endpoints/endpoint-fields.js';
import { MAX_URL } from '../../webhooks/endpoints/endpoint-url.js';
import type { WebhookEndpointEntity } from '../../webhooks/endpoints/webhook-endpoint.entity.js';
import { type AccountFrame, accountPage } from '../page-parts/account-page.js';
import { labelledField } from '../../../platform/pages/labelled-field.js';
import { formStart } from '../page-parts/post-button.js';
import { EVENT_CHOICES, type EventChoice, isWhole } from './event-choice.js';
import type { TypedWebhook } from './webhook-form.js';

/** The page with the form that creates an endpoint. */
export function newWebhookPage(frame: AccountFrame, typed: TypedWebhook): string {
  const body = markup`<p class="lead">Your wallet confirms, because we go on sending when you are signed out. Then you see the secret once.</p>
${formStart(frame, '/account/webhooks')}${fields(frame, typed)}<div class="actions">
<button class="primary">Create the endpoint</button>
${cancel(frame, '/account/webhooks')}</div>
</form>
`;
  return accountPage(frame, { path: '/account/webhooks', title: 'Create a webhook endpoint', body });
}

/** The page with the form that changes an endpoint. */
export function changeWebhookPage(frame: AccountFrame, { id }: WebhookEndpointEntity, typed: TypedWebhook): string {
  const path = `/account/webhooks/${id}`;
  const body = markup`<p class="lead">Your wallet confirms a new address. Other changes take effect at once.</p>
${formStart(frame, `${path}/change`)}${fields(frame, typed)}<div class="actions">
<button class="primary">Save</button>
${cancel(frame, path)}</div>
</form>
`;
  return accountPage(frame, { path: '/account/webhooks', title: 'Change a webhook endpoint', body });
}

function cancel({ baseUrl }: AccountFrame, path: string): SafeHtml {
  return markup`<a class="button" href="${publicPath(baseUrl, path)}">Cancel</a>
`;
}

function fields({ problem }: AccountFrame, typed: TypedWebhook): SafeHtml {
  const form = 'webhook';
  const url = {
    form,
    name: 'url',
    label: 'Address',
    hint: 'Where your server takes events, for example https://hooks.example/tasktree.',
    value: typed.url,
    attributes: markup` class="mono" required maxlength="${MAX_URL}" inputmode="url" autocapitalize="none" spellcheck="false"`,
  };
  const description = {
    form,
    name: 'description',
    label: 'Name (optional)',
    hint: 'Only you see it.',
    value: typed.description,
    attributes: markup` maxlength="${MAX_DESCRIPTION}"`,
  };
  return markup`${labelledField(url, problem)}${labelledField(description, problem)}${eventChoice(problem?.field === 'webhook-types' ? problem.text : null, new Set(typed.types))}`;
}

function eventChoice(fault: string | null, chosen: ReadonlySet<string>): SafeHtml {
  return markup`<fieldset aria-describedby="webhook-types-hint${fault === null ? '' : ' webhook-types-fault'}">
<legend>Events</legend>
<p class="small" id="webhook-types-hint">Choose none to get all of them, and those we add later.</p>
${fault === null ? markup`` : markup`<p class="error" id="webhook-types-fault" role="alert">${fault}</p>\n`}${EVENT_CHOICES.map((choice) => group(choice, chosen))}</fieldset>
`;
}

/** A group: one box for all of it, and its types one by one. A group that is chosen as a whole is closed. */
function group(choice: EventChoice, chosen: ReadonlySet<string>): SafeHtml {
  const whole = isWhole(choice, chosen);
  const count = choice.types.filter((type) => chosen.has(type)).length;
  const isOpen = count > 0 && !whole;
  const state = whole ? ': all' : count > 0 ? `: ${count} of ${choice.types.length}` : '';
  return markup`<details class="group"${isOpen ? markup` open` : markup``}>
<summary class="button">${choice.title}${state}</summary>
<div>
${box('group', choice.group, whole, markup`All of these`)}${choice.types.map((type) => box('type', type, isOpen && chosen.has(type), typeWords(type)))}</div>
</details>
`;
}

function typeWords(type: EventType): SafeHtml {
  return markup`<code>${type}</code> <span class="hint">${EVENTS[type].says.replaceAll('`', '')}</span>`;
}

function box(name: 'group' | 'type', value: string, isChosen: boolean, text: SafeHtml): SafeHtml {
  return markup`<label class="check"><input type="checkbox" name="${name}" value="${value}"${isChosen ? markup` checked` : markup``}>
<span>${text}</span></label>
`;
}
