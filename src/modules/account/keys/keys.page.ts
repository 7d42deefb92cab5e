import { NO_LIMITS, type SpendLimits } from '../../credentials/spending/spend-limits.js';
import { mayFund } from '../../oauth/consent/consent-page.js';
import type { SpendStanding } from '../../prepared-actions/spending/spend-ledger.js';
import { type LimitsDraft, lowerLimitsForm } from '../page-parts/limit-fields.js';
import { spendingFacts } from '../page-parts/spending-facts.js';
import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { oneLine } from '../../../platform/pages/one-line.js';
import type { ApiKeyEntity } from '../../credentials/api-keys/api-key.entity.js';
import { MAX_OVERLAP_HOURS } from '../../credentials/api-keys/api-keys.service.js';
import { SCOPE_WORDS } from '../../oauth/consent/scope-copy.js';
import { type KeyForm, NEW_KEY, type TypedKey } from './key-form.js';
import type { OwnKeys } from './account-keys.service.js';
import { type AccountFrame, accountPage } from '../page-parts/account-page.js';
import { instant, instantOr } from '../page-parts/utc-instant.js';
import { newKeyForms } from './key-forms.js';
import { labelledField } from '../../../platform/pages/labelled-field.js';
import { formStart, postButton } from '../page-parts/post-button.js';

/** Values of a refused form, to be shown again. */
export interface KeyDrafts {
  created?: { form: KeyForm; typed: TypedKey };
  lowered?: LimitsDraft;
}

/** The page of a person's API keys, with the forms that create keys. The drafts hold the values of a refused form. */
export function keysPage(
  frame: AccountFrame,
  { live, ended, spending }: OwnKeys,
  { created, lowered }: KeyDrafts = {},
): string {
  const body = markup`<p class="lead">For your own programs. Each key has one permission, and none can sign or move money.</p>
<section aria-labelledby="live-keys">
<h2 id="live-keys">Active keys</h2>
${live.length === 0 ? markup`<p>You have no active keys.</p>\n` : live.map((key) => liveKey(frame, key, spending.get(key.spendPolicyId ?? '') ?? null, lowered))}</section>
${newKeyForms(frame, {
  set: created?.form === 'set' ? created.typed : NEW_KEY,
  one: created?.form === 'one' ? created.typed : NEW_KEY,
})}${endedKeys(ended)}`;
  return accountPage(frame, { path: '/account/keys', title: 'API keys', body });
}

function liveKey(
  frame: AccountFrame,
  key: ApiKeyEntity,
  spending: SpendStanding | null,
  draft: LimitsDraft | undefined,
): SafeHtml {
  const about = `${oneLine(key.name)}, ${key.scope}, ends in ${key.last4}`;
  return markup`<article class="card" aria-labelledby="name-${key.id}">
<h3 id="name-${key.id}"><bdi>${oneLine(key.name)}</bdi> <span class="tag">Active</span></h3>
<dl class="facts">
<dt>May</dt><dd>${SCOPE_WORDS[key.scope].title} <code>${key.scope}</code></dd>
<dt>Key</dt><dd><code>${key.prefix}…${key.last4}</code></dd>
<dt>Created</dt><dd>${instant(key.createdAt)}</dd>
<dt>Last used</dt><dd>${instantOr(key.lastUsedAt, 'Never')}</dd>
<dt>Expires</dt><dd>${instant(key.expiresAt)}</dd>
<dt>Networks</dt><dd>${networksOf(key)}</dd>
${spending === null || !mayFund([key.scope]) ? markup`` : spendingFacts(spending)}</dl>
${lowering(frame, key, about, spending?.policy ?? NO_LIMITS, draft)}${rollForm(frame, key, about)}<div class="actions">
${postButton(frame, { path: `/account/keys/${key.id}/revoke`, text: 'Revoke', about, isFinal: true })}</div>
</article>
`;
}

function rollForm(frame: AccountFrame, { id }: ApiKeyEntity, about: string): SafeHtml {
  const field = {
    form: `roll-${id}`,
    name: 'overlap_hours',
    label: 'Hours until the present key stops',
    hint: `0 to ${MAX_OVERLAP_HOURS}. With 0 it stops at once.`,
    value: '24',
    type: 'number' as const,
    attributes: markup` class="short" min="0" max="${MAX_OVERLAP_HOURS}" step="1" required`,
  };
  const isOpen = frame.problem?.field === `${field.form}-${field.name}`;
  return markup`<details${isOpen ? markup` open` : markup``}>
<summary class="button">Replace with a new key</summary>
${formStart(frame, `/account/keys/${id}/roll`)}${labelledField(field, frame.problem)}<button aria-label="Replace: ${about}">Replace</button>
</form>
</details>
`;
}

/** Name of the form that lowers the limits of a key. */
export function limitsForm(keyId: string): string {
  return `limits-${keyId}`;
}

/** The form that lowers the limits of a key; empty for one that prepares no payment. */
function lowering(
  frame: AccountFrame,
  { id, scope }: ApiKeyEntity,
  about: string,
  limits: SpendLimits,
  draft: LimitsDraft | undefined,
): SafeHtml {
  if (!mayFund([scope])) return markup``;
  return lowerLimitsForm(frame, {
    form: limitsForm(id),
    path: `/account/keys/${id}/limits`,
    words: 'Here limits only go down, for all keys that share them. For more, create a new key.',
    about,
    limits,
    draft,
  });
}

function networksOf({ cidrs }: ApiKeyEntity): SafeHtml {
  if (cidrs === null) return markup`Any`;
  return markup`${cidrs.map((cidr) => markup`<code>${cidr}</code> `)}`;
}

function endedKeys(keys: readonly ApiKeyEntity[]): SafeHtml {
  if (keys.length === 0) return markup``;
  return markup`<section aria-labelledby="ended-keys">
<h2 id="ended-keys">Expired and revoked keys</h2>
<ul>
${keys.map(
  (
    key,
  ) => markup`<li><bdi>${oneLine(key.name)}</bdi> (<code>${key.scope}</code>, <code>${key.prefix}…${key.last4}</code>):
${key.revokedAt === null ? 'expired' : 'revoked'} ${instant(key.revokedAt ?? key.expiresAt)}</li>
`,
)}</ul>
</section>
`;
}
