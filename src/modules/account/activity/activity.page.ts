import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import type { ActivityEntry } from './account-activity.service.js';
import { type AccountFrame, accountPage } from '../page-parts/account-page.js';
import { activityWords } from './activity-copy.js';
import { instant } from '../page-parts/utc-instant.js';

/** The page of an account's audit record. */
export function activityPage(frame: AccountFrame, entries: readonly ActivityEntry[]): string {
  const body = markup`<p class="lead">What happened to your account: sign-ins, applications, keys, webhooks
and wallets. Nobody can change an entry.</p>
${entries.length === 0 ? markup`<p>Nothing yet.</p>\n` : table(entries)}`;
  return accountPage(frame, { path: '/account/activity', title: 'Activity', body });
}

/** Two columns of text, which can wrap on a narrow screen. */
function table(entries: readonly ActivityEntry[]): SafeHtml {
  return markup`<table>
<caption>${entries.length === 1 ? 'One entry' : `${entries.length} entries`}, newest first (at most 100)</caption>
<thead><tr><th scope="col">When</th><th scope="col">What</th></tr></thead>
<tbody>
${entries.map(row)}</tbody>
</table>
`;
}

function row(entry: ActivityEntry): SafeHtml {
  const { occurredAt } = entry;
  const origin = originOf(entry);
  return markup`<tr><td>${instant(occurredAt)}</td><td>${activityWords(entry)} <span class="hint">${origin}</span></td></tr>
`;
}

/** What made the entry: a request, the end of a wallet's notice, or else a command of the operator. */
function originOf({ requestId, detail }: ActivityEntry): SafeHtml {
  if (requestId !== null) return markup`request <code>${requestId}</code>`;
  return detail['by'] === 'removal' ? markup`as asked for 24 hours before` : markup`by the operator`;
}
