import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { oneLine } from '../../../platform/pages/one-line.js';
import { MAX_URL, type UrlFault } from '../../webhooks/endpoints/endpoint-url.js';
import type { DisabledReason, WebhookEndpointEntity } from '../../webhooks/endpoints/webhook-endpoint.entity.js';
import { clientName } from '../../oauth/consent/client-copy.js';
import { instant } from '../page-parts/utc-instant.js';
import type { WebhookMaker } from './account-webhooks.service.js';
import { EVENT_CHOICES, isWhole } from './event-choice.js';

/** Why an address is refused, for the person who typed it. */
export const URL_FAULTS: Readonly<Record<UrlFault, string>> = {
  malformed: `Give a whole address, such as https://hooks.example/tasktree, of at most ${MAX_URL} characters.`,
  protocol: 'The address must begin with https://.',
  user: 'Leave the user name and password out of the address.',
  fragment: 'Leave out the # and what follows it.',
  port: 'Use port 443, or one from 1024 on.',
  address: 'This address is not on the public internet.',
  host: 'This host is not on the public internet.',
};

const WHY_OFF: Readonly<Record<DisabledReason, string>> = {
  owner: 'you turned it off',
  gone: 'its server said that the address is gone (status 410)',
  failing: 'it took no event for five days',
  operator: 'the operator turned it off',
};

const FAILURES: Readonly<Record<string, string>> = {
  timeout: 'No answer in time',
  address_refused: 'The host has no public address',
  name_not_found: 'Host not found',
  tls_failed: 'No secure connection (TLS)',
  connection_failed: 'No connection',
};

/** True when deliveries ended because the receiver failed, and nobody wished it. */
export function isStopped({ disabledReason }: WebhookEndpointEntity): boolean {
  return disabledReason === 'failing' || disabledReason === 'gone';
}

/** True while there is nothing to say of the state but that it is active. */
export function isQuiet({ status, failingSince }: WebhookEndpointEntity): boolean {
  return status === 'enabled' && failingSince === null;
}

/** What a person calls an endpoint: its description, or else its host. */
export function webhookName({ description, url }: WebhookEndpointEntity): string {
  return oneLine(description ?? '') || oneLine(new URL(url).host);
}

/** One word for the state. */
export function stateTag({ status, failingSince }: WebhookEndpointEntity): SafeHtml {
  if (status === 'disabled') return markup`<span class="tag warn">Off</span>`;
  return failingSince === null
    ? markup`<span class="tag">Active</span>`
    : markup`<span class="tag warn">Failing</span>`;
}

/** The state in a sentence part: since when, and why. */
export function stateWords(endpoint: WebhookEndpointEntity): SafeHtml {
  const { status, disabledAt, failingSince } = endpoint;
  if (status === 'disabled') {
    const since = disabledAt === null ? markup`Off` : markup`Off since ${instant(disabledAt)}`;
    return markup`${since}: ${whyOff(endpoint)}`;
  }
  return failingSince === null ? markup`Active` : markup`Failing since ${instant(failingSince)}; we keep trying`;
}

/** Why an endpoint is off; for the middle of a sentence. */
export function whyOff({ disabledReason, credentialId }: WebhookEndpointEntity): string {
  if (disabledReason === null) return 'it was turned off';
  if (disabledReason === 'owner' && credentialId !== null) return 'you or its program turned it off';
  return WHY_OFF[disabledReason];
}

/** Who made an endpoint. Names of applications and keys are texts of others. */
export function makerWords(maker: WebhookMaker): SafeHtml {
  switch (maker.kind) {
    case 'person':
      return markup`You, on this page`;
    case 'key':
      return markup`The API key “<bdi>${oneLine(maker.name)}</bdi>”`;
    case 'application':
      return markup`The application ${clientName(maker)}`;
    case 'ended':
      return markup`A program whose access has ended`;
  }
}

/** Which events an endpoint gets: whole groups by their names, single types by theirs. */
export function typesWords(types: readonly string[] | null): SafeHtml {
  if (types === null || types.length === 0) return markup`All, and types we add later`;
  const chosen = new Set(types);
  const whole = EVENT_CHOICES.filter((choice) => isWhole(choice, chosen));
  const named = new Set<string>(whole.flatMap((choice) => choice.types));
  const single = types.filter((type) => !named.has(type));
  const parts = [
    ...whole.map(({ title }) => markup`${title} (all)`),
    ...single.map((type) => markup`<code>${oneLine(type)}</code>`),
  ];
  return markup`${parts.map((part, index) => (index === 0 ? part : markup`, ${part}`))}`;
}

/** How an attempt went. @param status null: there was no answer, and `failure` says why. */
export function outcomeOf({ httpStatus, failure }: { httpStatus: number | null; failure: string | null }): SafeHtml {
  if (httpStatus === null) return markup`${FAILURES[failure ?? ''] ?? 'No answer'}`;
  return httpStatus >= 200 && httpStatus < 300 ? markup`Taken (${httpStatus})` : markup`Refused (${httpStatus})`;
}

/** A duration in milliseconds, as a person reads it. */
export function took(durationMs: number): string {
  return durationMs < 1000 ? `${durationMs} ms` : `${(durationMs / 1000).toFixed(1)} s`;
}
