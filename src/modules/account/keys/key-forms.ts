import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { MAX_KEY_DAYS, MAX_KEY_NAME } from '../../credentials/api-keys/api-keys.service.js';
import { SCOPE_WORDS } from '../../oauth/consent/scope-copy.js';
import { SCOPES, type Scope } from '../../credentials/scope.js';
import type { KeyForm, TypedKey } from './key-form.js';
import type { AccountFrame } from '../page-parts/account-page.js';
import { isAboutLimits, limitFields } from '../page-parts/limit-fields.js';
import { labelledField } from '../../../platform/pages/labelled-field.js';
import { formStart } from '../page-parts/post-button.js';

/** The form that creates a key set and the form that creates one key, filled in with the drafts. */
export function newKeyForms(frame: AccountFrame, drafts: Record<KeyForm, TypedKey>): SafeHtml {
  const isOneOpen = frame.problem?.field?.startsWith('one-') === true;
  return markup`<section aria-labelledby="new-set">
<h2 id="new-set">Create a key set</h2>
<p>Four keys, one for each permission. Your wallet confirms, then you see them once.</p>
${formStart(frame, '/account/keys')}${sharedFields(frame, 'set', drafts.set)}<button class="primary">Create four keys</button>
</form>
</section>
<section aria-labelledby="new-key">
<h2 id="new-key">Create one key</h2>
<details${isOneOpen ? markup` open` : markup``}>
<summary class="button">For a program that needs one permission</summary>
${formStart(frame, '/account/keys/create')}${scopeChoice(frame, drafts.one.scope)}${sharedFields(frame, 'one', drafts.one)}<button>Create the key</button>
</form>
</details>
</section>
`;
}

function sharedFields({ problem }: AccountFrame, form: KeyForm, typed: TypedKey): SafeHtml {
  const name = {
    form,
    name: 'name',
    label: 'Name',
    hint: 'For example the program that uses it.',
    value: typed.name,
    attributes: markup` required maxlength="${MAX_KEY_NAME}"`,
  };
  const days = {
    form,
    name: 'days',
    label: 'Valid for (days)',
    hint: `1 to ${MAX_KEY_DAYS}.`,
    value: typed.days,
    type: 'number' as const,
    attributes: markup` class="short" required min="1" max="${MAX_KEY_DAYS}" step="1"`,
  };
  const cidrs = {
    form,
    name: 'cidrs',
    label: 'Only from these networks (optional)',
    hint: 'For example 203.0.113.0/24. Separate several with spaces. Without any, the key works from anywhere.',
    value: typed.cidrs,
    attributes: markup` class="mono" maxlength="2000" autocapitalize="none" spellcheck="false"`,
  };
  const isOpen = isAboutLimits(form, problem) || Object.values(typed.limits).some((text) => text !== '');
  return markup`${[name, days, cidrs].map((field) => labelledField(field, problem))}<div class="field"><details${isOpen ? markup` open` : markup``}>
<summary class="button">Spending limits, optional</summary>
<p>How much it may ask your wallet to pay${form === 'set' ? ', for the four keys together' : ''}. Without limits, your wallet still asks you each time.</p>
${limitFields(form, typed.limits, problem)}</details></div>
`;
}

function scopeChoice({ problem }: AccountFrame, chosen: string): SafeHtml {
  const fault = problem?.field === 'one-scope' ? problem : null;
  return markup`<fieldset${fault ? markup` aria-describedby="one-scope-fault"` : markup``}>
<legend>What it may do</legend>
${fault ? markup`<p class="error" id="one-scope-fault" role="alert">${fault.text}</p>\n` : markup``}${SCOPES.map((scope) => scopeOption(scope, scope === chosen))}</fieldset>
`;
}

function scopeOption(scope: Scope, isChosen: boolean): SafeHtml {
  const { title, detail } = SCOPE_WORDS[scope];
  return markup`<label class="check"><input type="radio" name="scope" value="${scope}"${isChosen ? markup` checked` : markup``}>
<span>${title} <span class="hint">${detail} <code>${scope}</code></span></span></label>
`;
}
