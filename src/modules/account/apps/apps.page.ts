import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { oneLine } from '../../../platform/pages/one-line.js';
import { clientName, clientStanding } from '../../oauth/consent/client-copy.js';
import { mayFund } from '../../oauth/consent/consent-page.js';
import { SCOPE_WORDS } from '../../oauth/consent/scope-copy.js';
import { REFERENCE_CLIENT_ID } from '../../oauth/protocol/reference-client.js';
import { COUNTED_ACTIONS } from '../../prepared-actions/lifecycle/app-activity.sql.js';
import type { ActiveApp } from './connected-apps.service.js';
import { type AccountFrame, accountPage } from '../page-parts/account-page.js';
import { formatMoney } from '../page-parts/format-money.js';
import { instant, instantOr } from '../page-parts/utc-instant.js';
import { limitsOfCap } from '../../credentials/spending/spend-limits.js';
import { type LimitsDraft, lowerLimitsForm } from '../page-parts/limit-fields.js';
import { spendingFacts } from '../page-parts/spending-facts.js';
import { postButton } from '../page-parts/post-button.js';

/** The applications that may act for a person. `draft` holds the values of a refused form. */
export function appsPage(frame: AccountFrame, apps: readonly ActiveApp[], draft?: LimitsDraft): string {
  const body = markup`<p class="lead">Applications that you allowed to help you. They can never sign or move money: you confirm
every action in your wallet.</p>
${apps.length === 0 ? markup`<p>No application is connected.</p>\n` : apps.map((app, index) => appCard(frame, app, index, draft))}`;
  return accountPage(frame, { path: '/account/apps', title: 'Connected apps', body });
}

function appCard(frame: AccountFrame, app: ActiveApp, index: number, draft: LimitsDraft | undefined): SafeHtml {
  const named = { name: app.clientName, host: app.clientHost, isOwn: app.clientId === REFERENCE_CLIENT_ID };
  return markup`<section class="card" aria-labelledby="app-${index}">
<h2 id="app-${index}">${clientName(named)} ${clientStanding(named)}</h2>
<dl class="facts">
<dt>May</dt><dd>${app.scopes.map((scope) => markup`${SCOPE_WORDS[scope].title} <code>${scope}</code><br>\n`)}</dd>
${cap(app)}${app.spending === null ? markup`` : spendingFacts(app.spending)}<dt>Connected</dt><dd>${instant(app.connectedAt)}</dd>
<dt>Last used</dt><dd>${instantOr(app.lastUsedAt, 'Never')}</dd>
<dt>Prepared</dt><dd>${prepared(app)}</dd>
</dl>
${lowering(frame, app, draft)}${postButton(frame, {
    path: '/account/apps/revoke',
    text: 'Revoke',
    about: oneLine(app.clientName),
    values: { client_id: app.clientId },
    isFinal: true,
  })}<p class="hint">It loses its access at once. Actions that you have not signed stay unsigned.</p>
</section>
`;
}

/** The cap of its consents; empty where a limit of one payment says the same for all of them. */
function cap({ scopes, fundingCap, spending }: ActiveApp): SafeHtml {
  if (!mayFund(scopes) || (spending !== null && spending.policy.perPayment !== null)) return markup``;
  const words = fundingCap === null ? 'None; your wallet asks each time' : `${formatMoney(fundingCap)} USDC`;
  return markup`<dt>Limit per payment</dt><dd>${words}</dd>\n`;
}

/** Name of the form that lowers the limits of an application. */
export function limitsForm(clientId: string): string {
  return `limits-${clientId}`;
}

/** The form that lowers the limits; empty for an application that prepares no payment. */
function lowering(frame: AccountFrame, app: ActiveApp, draft: LimitsDraft | undefined): SafeHtml {
  const { scopes, clientId, clientName, fundingCap, spending } = app;
  if (!mayFund(scopes)) return markup``;
  return lowerLimitsForm(frame, {
    form: limitsForm(clientId),
    path: '/account/apps/limits',
    values: { client_id: clientId },
    words: 'Here limits only go down. For more, connect the application again.',
    about: oneLine(clientName),
    limits: spending?.policy ?? limitsOfCap(fundingCap),
    draft,
  });
}

function countOf(prepared: number): string {
  if (prepared === 1) return 'one action';
  const count = prepared > COUNTED_ACTIONS ? `more than ${COUNTED_ACTIONS.toLocaleString('en')}` : `${prepared}`;
  return `${count} actions, the last`;
}

function prepared({ activity }: ActiveApp): SafeHtml {
  if (activity === null) return markup`Nothing yet`;
  return markup`${countOf(activity.prepared)} on ${instant(activity.lastPreparedAt)}`;
}
