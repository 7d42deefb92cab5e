import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { publicPath } from '../../../platform/pages/assets/public-path.js';
import { type AccountFrame, accountPage } from '../page-parts/account-page.js';
import { withTwoDecimals } from '../page-parts/format-money.js';
import { instant } from '../page-parts/utc-instant.js';
import { outcomeWords } from './outcome-copy.js';

/** A receipt in the list. */
interface ListedReceipt {
  id: string;
  outcome: string;
  amount: { amount: string };
  /** RFC 3339. */
  created_at: string;
}

interface ReceiptList {
  data: readonly ListedReceipt[];
  /** Cursor of the page with older receipts; null = there are none. */
  next_page: string | null;
}

/** The list of a person's receipts, newest first. */
export function receiptsPage(frame: AccountFrame, { data, next_page: next }: ReceiptList): string {
  const body = markup`<p class="lead">A receipt for every settled job that you paid for or worked on. Each one says how to
check it without us.</p>
${data.length === 0 ? markup`<p>No job has been settled yet.</p>\n` : table(frame, data)}${older(frame, next)}`;
  return accountPage(frame, { path: '/account/receipts', title: 'Receipts', body });
}

function table({ baseUrl }: AccountFrame, receipts: readonly ListedReceipt[]): SafeHtml {
  return markup`<table>
<caption>Newest first</caption>
<thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">USDC</th></tr></thead>
<tbody>
${receipts.map(
  ({ id, outcome, amount, created_at: at }) => markup`<tr><td>${instant(new Date(at))}</td>
<td><a href="${publicPath(baseUrl, `/account/receipts/${id}`)}">${outcomeWords(outcome)}
<span class="hint">${id}</span></a></td>
<td><span class="amount">${withTwoDecimals(amount.amount)}</span></td></tr>
`,
)}</tbody>
</table>
`;
}

function older({ baseUrl }: AccountFrame, next: string | null): SafeHtml {
  if (next === null) return markup``;
  const path = publicPath(baseUrl, `/account/receipts?cursor=${encodeURIComponent(next)}`);
  return markup`<p><a class="button" href="${path}">Older receipts</a></p>
`;
}
