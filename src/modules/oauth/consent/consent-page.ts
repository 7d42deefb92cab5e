import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { addressText } from '../../../platform/pages/address-text.js';
import { labelledField } from '../../../platform/pages/labelled-field.js';
import { oneLine } from '../../../platform/pages/one-line.js';
import { webPage } from '../../../platform/pages/page-shell.js';
import { publicPath } from '../../../platform/pages/assets/public-path.js';
import type { Scope } from '../../credentials/scope.js';
import type { LimitField, TypedLimits } from '../../credentials/spending/spend-limit-fields.js';
import type { SpendLimits } from '../../credentials/spending/spend-limits.js';
import { limitsCopy } from '../../credentials/spending/spend-limits-copy.js';
import { clientName, clientStanding, type NamedClient } from './client-copy.js';
import { SCOPE_WORDS } from './scope-copy.js';

/** A problem with the sent form. */
export interface ConsentProblem {
  field: 'scope' | 'funding_cap' | Exclude<LimitField, 'per_payment'>;
  /** Sentence for the person. */
  text: string;
}

export interface ConsentPage {
  displayName: string;
  baseUrl: string;
  /** Public path of the interaction. */
  base: string;
  client: NamedClient & { isKnown: boolean; redirectHost: string; redirectsToLoopback: boolean };
  /** The account for which the application would act. */
  account: { name: string; walletAddress: string };
  /** Requested scopes, in the order of `SCOPES`. */
  scopes: readonly Scope[];
  /** Ticked scopes: all that are requested, or the person's previous choice. */
  chosen: readonly Scope[];
  /** Texts of the limits' fields; the one per payment is the cap. */
  limits: TypedLimits;
  /** What the application may ask for by an earlier consent; null: it was not limited. */
  earlier: SpendLimits | null;
  /** Days after which the access ends. */
  grantDays: number;
  /** Token of the form that allows, bound to the account; `cancelToken` is for cancelling. */
  formToken: string;
  cancelToken: string;
  problem?: ConsentProblem | undefined;
}

/**
 * The consent page: which application asks, for which account and scopes, and that money never moves without the
 * wallet.
 */
export function consentPage(page: ConsentPage): string {
  const { displayName, baseUrl, base, client, grantDays, formToken, cancelToken } = page;
  const title = 'Allow an application to help you?';
  const body = markup`<h1>${clientName(client)} wants to help with your tasks</h1>
${whoAsks(page)}${warnings(client)}<form method="post" action="${base}/consent">
<input type="hidden" name="form_token" value="${formToken}">
${scopeBoxes(page)}<p class="notice"><strong>It can never sign or move money. You confirm every action in your
wallet.</strong></p>
${capField(page)}${limitFields(page)}<p>Access ends after ${grantDays} days.</p>
<div class="actions"><button class="primary">Allow</button><button form="cancel">Cancel</button></div>
</form>
<form method="post" action="${base}/cancel" id="cancel" hidden>
<input type="hidden" name="form_token" value="${cancelToken}">
</form>
<p class="small">You can take the access back at any time under
<a href="${publicPath(baseUrl, '/account/apps')}">Connected apps</a>. The application may keep what it has read.</p>`;
  return webPage({ displayName, baseUrl, title, body });
}

function whoAsks({ base, client, account, displayName, baseUrl }: ConsentPage): SafeHtml {
  return markup`<dl class="facts card">
<dt>Application</dt><dd>${clientName(client)} ${clientStanding(client)}</dd>
<dt>Returns you to</dt><dd>${returnsTo(client)}</dd>
<dt>Acts for</dt><dd>${addressText(account.walletAddress)}<br>
<span class="small">Account <bdi>${oneLine(account.name)}</bdi></span> ·
<a href="${base}?wallet=other">Use a different wallet</a></dd>
<dt>Service</dt><dd>${displayName}, <bdi>${new URL(baseUrl).host}</bdi></dd>
</dl>
`;
}

function returnsTo({ redirectHost, redirectsToLoopback, isOwn }: ConsentPage['client']): SafeHtml {
  if (isOwn) return markup`the page that you came from`;
  if (redirectsToLoopback) return markup`a program on this computer`;
  return markup`<bdi>${oneLine(redirectHost)}</bdi>`;
}

/**
 * Warnings before the form. Only the person can know whether they started this connection. There is no name warning for
 * hosts that the operator knows.
 */
function warnings({ isKnown, isOwn, redirectHost, redirectsToLoopback }: ConsentPage['client']): SafeHtml {
  if (isOwn) return markup``;
  const target = redirectsToLoopback ? markup`a program on this computer` : markup`<bdi>${oneLine(redirectHost)}</bdi>`;
  const unverified = markup`<p class="notice warn"><strong>Nobody has verified this name:</strong> any application can use
it. You will return to ${target}. Continue only if you have just connected it yourself.</p>
`;
  const loopback = markup`<p class="notice warn"><strong>You will return to a program on this computer.</strong> Continue
only if you have just started that program yourself.</p>
`;
  if (!isKnown) return unverified;
  return redirectsToLoopback ? loopback : markup``;
}

function scopeBoxes({ scopes, chosen, problem }: ConsentPage): SafeHtml {
  const fault = problem?.field === 'scope' ? problem : undefined;
  const described = fault ? markup` aria-describedby="scope-fault"` : markup``;
  return markup`<fieldset${described}>
<legend>It will be able to</legend>
${fault ? markup`<p class="error" id="scope-fault" role="alert">${fault.text}</p>\n` : markup``}${scopes.map((scope) =>
    scopeBox(scope, chosen.includes(scope)),
  )}</fieldset>
`;
}

function scopeBox(scope: Scope, isChosen: boolean): SafeHtml {
  const { title, detail } = SCOPE_WORDS[scope];
  return markup`<label class="check"><input type="checkbox" name="scope" value="${scope}"${isChosen ? markup` checked` : markup``}>
<span>${title} <span class="hint">${detail} <code>${scope}</code></span></span></label>
`;
}

/** The cap field; empty unless a scope can prepare a funding. */
function capField({ scopes, limits, problem }: ConsentPage): SafeHtml {
  if (!mayFund(scopes)) return markup``;
  const cap = {
    name: 'funding_cap',
    label: 'Spending limit per payment (USDC), optional',
    hint: 'For example 250.00. Without a limit, your wallet still asks you each time.',
    value: limits.per_payment,
    attributes: limitAttributes('per_payment'),
  };
  return labelledField(cap, problem ?? null);
}

const LIMITS: readonly { readonly field: LimitField; readonly label: string; readonly hint: string }[] = [
  { field: 'per_day', label: 'Limit per day (USDC)', hint: 'Of what it asks you to pay on one day in UTC.' },
  { field: 'total', label: 'Limit in total (USDC)', hint: 'Of all that it ever asks you to pay. It does not refill.' },
  { field: 'counterparties', label: 'Only to these wallets', hint: 'Addresses. Separate several with spaces.' },
];

/** The other limits, folded away unless one is set or wrong; empty as the cap's field is. */
function limitFields({ scopes, limits, earlier, problem }: ConsentPage): SafeHtml {
  if (!mayFund(scopes)) return markup``;
  const isOpen = LIMITS.some(({ field }) => limits[field] !== '' || problem?.field === field);
  const before = earlier === null ? markup`` : markup`<p>Until now it can ask you to pay ${limitsCopy(earlier)}.</p>\n`;
  return markup`${before}<div class="field"><details${isOpen ? markup` open` : markup``}>
<summary class="button">More spending limits, optional</summary>
<p>Leave empty what you do not want to limit.</p>
${LIMITS.map(({ field: name, label, hint }) =>
  labelledField({ name, label, hint, value: limits[name], attributes: limitAttributes(name) }, problem ?? null),
)}</details></div>
`;
}

/** Attributes of the field of a limit, on every page that has one. */
export function limitAttributes(field: LimitField): SafeHtml {
  return field === 'counterparties'
    ? markup` class="mono" maxlength="2400" autocapitalize="none" spellcheck="false"`
    : markup` class="short" inputmode="decimal" maxlength="40"`;
}

/** True when one of the scopes can prepare a funding, so that a cap has an effect. */
export function mayFund(scopes: readonly Scope[]): boolean {
  return scopes.some((scope) => scope === 'buyer' || scope === 'worker');
}
