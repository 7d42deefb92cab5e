import { markup } from '../../../platform/http/html-markup.js';
import type { WebhookEndpointEntity } from '../../webhooks/endpoints/webhook-endpoint.entity.js';
import type { Deed } from '../signed-in/confirm-step.js';
import { typesWords } from './webhook-copy.js';
import type { WebhookInput } from './webhook-form.js';

const PAGE = '/account/webhooks';

/** Describes a new endpoint, for confirmation: it goes on telling when the session is over. */
export function createWebhook(input: WebhookInput): Deed {
  return {
    act: {
      name: 'create-webhook',
      parameters: exactly(input),
      words: `create a webhook endpoint that sends ${count(input)} to ${hostOf(input)}`,
    },
    title: 'Create a webhook endpoint: confirm',
    explanation: markup`We will send events of your account to <code>${input.url}</code>, also when you are signed out.
Events: ${typesWords(input.types)}.`,
    path: PAGE,
    fields: fieldsOf(input),
    button: 'Create the endpoint',
    page: PAGE,
  };
}

/** Describes the change of an endpoint's address, for confirmation. */
export function moveWebhook(endpoint: WebhookEndpointEntity, input: WebhookInput): Deed {
  return {
    act: {
      name: 'move-webhook',
      parameters: { endpoint: endpoint.id, ...exactly(input) },
      words: `move a webhook endpoint from ${hostOf(endpoint)} to ${hostOf(input)}, which gets ${count(input)}`,
    },
    title: 'Change the address: confirm',
    explanation: markup`We will send the events to <code>${input.url}</code>, and no longer to
<code>${endpoint.url}</code>. Events: ${typesWords(input.types)}.`,
    path: `${PAGE}/${endpoint.id}/change`,
    fields: fieldsOf(input),
    button: 'Change the address',
    page: PAGE,
  };
}

/** Describes a new secret of an endpoint, for confirmation: whoever knows it can send in our name. */
export function replaceWebhookSecret(endpoint: WebhookEndpointEntity): Deed {
  return {
    act: {
      name: 'replace-webhook-secret',
      parameters: { endpoint: endpoint.id },
      words: `replace the secret of a webhook endpoint at ${hostOf(endpoint)}`,
    },
    title: 'Replace the secret: confirm',
    explanation: markup`The endpoint <code>${endpoint.url}</code> gets a new secret, which you see once. For 24 hours we sign
with both.`,
    path: `${PAGE}/${endpoint.id}/secret`,
    fields: {},
    button: 'Replace the secret',
    page: PAGE,
  };
}

function exactly({ url, description, types }: WebhookInput) {
  return { url, description, types };
}

/** The types travel in one field. */
function fieldsOf({ url, description, types }: WebhookInput): Record<string, string> {
  return { url, description, type: types.join(',') };
}

/** Only the host: the message is kept in the account's record, and the rest of an address may hold a secret. */
function hostOf({ url }: { url: string }): string {
  return new URL(url).host;
}

function count({ types }: WebhookInput): string {
  if (types.length === 0) return 'all events of this account';
  return types.length === 1 ? 'events of one type' : `events of ${types.length} types`;
}
