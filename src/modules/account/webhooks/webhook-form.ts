import type { Environment } from '../../../platform/config/environment.js';
import { fieldOf } from '../../../platform/pages/form-body.js';
import { areTypes, isDescription, MAX_DESCRIPTION } from '../../webhooks/endpoints/endpoint-fields.js';
import { receiverUrl, UrlRefused } from '../../webhooks/endpoints/endpoint-url.js';
import type { WebhookEndpointEntity } from '../../webhooks/endpoints/webhook-endpoint.entity.js';
import { FieldRefused } from '../page-parts/form-problem.js';
import { typesOfGroup } from './event-choice.js';
import { URL_FAULTS } from './webhook-copy.js';

/** The fields as they were typed, to be shown again. */
export interface TypedWebhook {
  readonly url: string;
  readonly description: string;
  /** Empty: every type. */
  readonly types: readonly string[];
}

/** Checked fields. */
export interface WebhookInput extends TypedWebhook {
  /** As it is stored. */
  readonly url: string;
}

/** Initial values of the form. */
export const NEW_WEBHOOK: TypedWebhook = { url: '', description: '', types: [] };

/** What a form that changes an endpoint begins with. */
export function presentValues({ url, description, types }: WebhookEndpointEntity): TypedWebhook {
  return { url, description: description ?? '', types: types ?? [] };
}

/** Reads the fields of a form. Types come one by one, as groups, or (from the page that asks a wallet) in one field. */
export function typedWebhook(form: URLSearchParams): TypedWebhook {
  // An unknown group stays, so that it is refused and not left out: without any type every event is sent.
  const ofGroups = form.getAll('group').flatMap((group) => typesOfGroup(group) ?? [group]);
  const single = form
    .getAll('type')
    .flatMap((types) => types.split(','))
    .filter((type) => type !== '');
  return {
    url: fieldOf(form, 'url'),
    description: fieldOf(form, 'description'),
    types: [...new Set([...ofGroups, ...single])],
  };
}

/** Checks the fields by the rules of the interface. @throws FieldRefused for the first one that is not valid. */
export function webhookInput({ url, description, types }: TypedWebhook, environment: Environment): WebhookInput {
  const address = checkedUrl(url, environment);
  if (!isDescription(description)) {
    throw new FieldRefused('webhook-description', `Give at most ${MAX_DESCRIPTION} characters that can be seen.`);
  }
  if (!areTypes(types)) throw new FieldRefused('webhook-types', 'Choose from the events below.');
  return { url: address, description, types };
}

function checkedUrl(url: string, environment: Environment): string {
  try {
    return receiverUrl(url, environment);
  } catch (error) {
    if (error instanceof UrlRefused) throw new FieldRefused('webhook-url', URL_FAULTS[error.fault]);
    throw error;
  }
}
