import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { addressText } from '../../../platform/pages/address-text.js';
import { oneLine } from '../../../platform/pages/one-line.js';
import type { AuditEventName } from '../../accounts/audit/audit-log.js';
import { isScope } from '../../credentials/scope.js';
import type { ActivityEntry } from './account-activity.service.js';

type Sentence = (entry: ActivityEntry) => SafeHtml;

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** The sentence of each event. Only the details named here are shown, each checked for its type. */
const SENTENCES: Readonly<Record<AuditEventName, Sentence>> = {
  session_started: (entry) => markup`Signed in${withWallet(entry, 'wallet')}.`,
  session_refused: (entry) => markup`A sign-in or a signature was refused${withWallet(entry, 'wallet')}.`,
  session_ended: () => markup`A session was ended.`,
  wallet_proved: (entry) => markup`A message was signed${withWallet(entry, 'wallet')}${act(entry)}.`,
  wallet_linked: (entry) => markup`A wallet was added${named(wallet(entry, 'wallet'))}.`,
  wallet_unlink_requested: (entry) => markup`The removal of a wallet was asked for${named(wallet(entry, 'wallet'))}.`,
  wallet_unlink_undone: (entry) => markup`A wallet that was to be removed stays${named(wallet(entry, 'wallet'))}.`,
  wallet_unlinked: (entry) => markup`A wallet was removed${named(wallet(entry, 'wallet'))}.`,
  signing_wallet_changed: (entry) => markup`The signing wallet was changed${named(wallet(entry, 'to'))}.`,
  api_key_created: (entry) => markup`An API key was created${keyName(entry)}.`,
  api_key_rolled: (entry) => markup`An API key was replaced${keyName(entry)}.`,
  api_key_revoked: (entry) => markup`An API key was revoked${keyName(entry)}.`,
  spend_limits_lowered: (entry) =>
    entry.clientId === null
      ? markup`You lowered the spending limits of an API key.`
      : markup`You lowered the spending limits of ${application(entry)}.`,
  webhook_endpoint_created: (entry) => markup`A webhook endpoint was created${hostOf(entry, 'host')}.`,
  webhook_endpoint_changed: webhookChanged,
  webhook_endpoint_disabled: (entry) =>
    entry.detail['by'] === 'operator'
      ? markup`The operator turned a webhook endpoint off${hostOf(entry, 'host')}.`
      : markup`A webhook endpoint was turned off${hostOf(entry, 'host')}.`,
  webhook_endpoint_enabled: (entry) => markup`A webhook endpoint was turned on${hostOf(entry, 'host')}.`,
  webhook_endpoint_deleted: (entry) => markup`A webhook endpoint was deleted${hostOf(entry, 'host')}.`,
  webhook_secret_replaced: (entry) => markup`A webhook endpoint got a new secret${hostOf(entry, 'host')}.`,
  client_registered: (entry) => markup`${application(entry)} registered itself.`,
  client_registration_refused: () => markup`The registration of an application was refused.`,
  client_changed: (entry) => markup`The operator changed ${application(entry)}.`,
  client_removed: (entry) => markup`The operator removed ${application(entry)}.`,
  authorization_requested: (entry) => markup`${application(entry)} asked for access.`,
  authorization_refused: (entry) => markup`A request for access was refused: ${application(entry)}.`,
  consent_given: (entry) => markup`You allowed ${application(entry)} to help you${scopes(entry)}.`,
  consent_refused: (entry) => markup`Access was not given: ${application(entry)}.`,
  grant_revoked: (entry) => markup`The access of ${application(entry)} was revoked.`,
  token_issued: (entry) => markup`${application(entry)} renewed its access${scopes(entry)}.`,
  token_refused: (entry) => markup`${application(entry)} was refused a token.`,
  token_revoked: (entry) => markup`${application(entry)} gave up a token.`,
  token_reuse_detected: (entry) =>
    markup`<strong>A token or code was used twice</strong>, so we stopped the access of ${application(entry)}.`,
  token_inspected: (entry) => markup`The gateway ${application(entry)} checked a token.`,
  action_opened: () => markup`A request to sign was opened in a browser.`,
  action_declined: declined,
  action_renewed: () => markup`An expired request to sign was prepared again.`,
  account_suspended: () => markup`The account was suspended.`,
  account_resumed: () => markup`The suspension of the account was ended.`,
  account_exported: () => markup`The operator exported the data of the account.`,
  account_erased: () => markup`The operator erased the data of the account.`,
  agent_suspended: (entry) => markup`The operator suspended your agent${quotedName(entry)}${because(entry)}.`,
  agent_resumed: (entry) =>
    markup`The operator ended the suspension of your agent${quotedName(entry)}${because(entry)}.`,
  task_hidden: (entry) =>
    markup`The operator hid your task${taskId(entry)} from everybody but its parties${because(entry)}. You can still act on it.`,
  task_shown: (entry) => markup`The operator no longer hides your task${taskId(entry)}${because(entry)}.`,
  audit_exported: () => markup`The operator exported the record.`,
  audit_archived: () => markup`The operator put an old month of the record into an archive.`,
  signing_key_rotated: () => markup`The service changed its signing key.`,
  webhook_key_rotated: () => markup`The service changed the key that it signs webhooks with.`,
  buyer_verified: () => markup`The operator marked the account as a verified buyer.`,
  buyer_unverified: () => markup`The operator removed the mark of a verified buyer.`,
  secrets_rotated: () => markup`The service sealed what it stores anew.`,
};

/** The act that the signed message described; empty for a plain sign-in. */
function act({ detail }: ActivityEntry): SafeHtml {
  const words = oneLine(textOf(detail['act']) ?? '');
  return words === '' ? markup`` : markup`: ${words}`;
}

/** The sentence of an entry; for an unknown event, the event's name. */
export function activityWords(entry: ActivityEntry): SafeHtml {
  const { event } = entry;
  if (isKnown(event)) return SENTENCES[event](entry);
  return markup`${oneLine(event.replaceAll('_', ' '))}`;
}

function isKnown(event: string): event is AuditEventName {
  return Object.hasOwn(SENTENCES, event);
}

/**
 * Names who declined, because a link may be opened by somebody other than the account's owner. Old entries do not say
 * who it was.
 */
function declined({ detail }: ActivityEntry): SafeHtml {
  switch (detail['by']) {
    case 'account':
      return markup`You declined a request to sign.`;
    case 'wallet':
      return markup`A request to sign was declined in a browser that had proved the wallet.`;
    case 'link':
      return markup`A request to sign was declined in the browser that opened its link.`;
    case 'credential':
      return markup`A request to sign was declined by a program, with a credential of your account.`;
    default:
      return markup`A request to sign was declined.`;
  }
}

function application({ clientName, clientId, detail }: ActivityEntry): SafeHtml {
  const name = oneLine(clientName ?? textOf(detail['name']) ?? clientId ?? '');
  return name === '' ? markup`an application` : markup`<bdi>${name}</bdi>`;
}

function keyName({ detail }: ActivityEntry): SafeHtml {
  const name = oneLine(textOf(detail['name']) ?? '');
  const scope = textOf(detail['scope']) ?? '';
  if (name === '' || !isScope(scope)) return markup``;
  return markup`: <bdi>${name}</bdi> (<code>${scope}</code>)`;
}

function webhookChanged(entry: ActivityEntry): SafeHtml {
  const isMoved = textOf(entry.detail['host_before']) !== textOf(entry.detail['host']);
  const before = isMoved ? markup` (before${hostOf(entry, 'host_before')})` : markup``;
  return markup`A webhook endpoint was changed${hostOf(entry, 'host')}${before}.`;
}

/** The host of a webhook endpoint; the rest of its address is not in the record. */
function hostOf({ detail }: ActivityEntry, member: string): SafeHtml {
  const host = oneLine(textOf(detail[member]) ?? '');
  return host === '' ? markup`` : markup`: <bdi>${host}</bdi>`;
}

function quotedName({ detail }: ActivityEntry): SafeHtml {
  const name = oneLine(textOf(detail['name']) ?? '');
  return name === '' ? markup`` : markup` <bdi>${name}</bdi>`;
}

function taskId({ detail }: ActivityEntry): SafeHtml {
  const id = oneLine(textOf(detail['task_id']) ?? '');
  return id === '' ? markup`` : markup` <code>${id}</code>`;
}

/** The reason that the operator gave. */
function because({ detail }: ActivityEntry): SafeHtml {
  const reason = oneLine(textOf(detail['reason']) ?? '');
  return reason === '' ? markup`` : markup` (reason: <bdi>${reason}</bdi>)`;
}

function scopes({ detail }: ActivityEntry): SafeHtml {
  const list: unknown = detail['scopes'] ?? detail['scope'];
  const known = (Array.isArray(list) ? list : []).flatMap((one: unknown) =>
    typeof one === 'string' && isScope(one) ? one : [],
  );
  return known.length === 0 ? markup`` : markup` (<code>${known.join(' ')}</code>)`;
}

function wallet({ detail }: ActivityEntry, member: string): string | null {
  const address = textOf(detail[member]);
  return address !== null && ADDRESS.test(address) ? address : null;
}

function withWallet(entry: ActivityEntry, member: string): SafeHtml {
  const address = wallet(entry, member);
  return address === null ? markup`` : markup` with ${addressText(address)}`;
}

function named(address: string | null): SafeHtml {
  return address === null ? markup`` : markup`: ${addressText(address)}`;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
