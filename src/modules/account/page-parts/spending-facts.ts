import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { addressText } from '../../../platform/pages/address-text.js';
import { leftOf } from '../../credentials/spending/spend-limits.js';
import type { SpendStanding } from '../../prepared-actions/spending/spend-ledger.js';
import { formatMoney } from './format-money.js';

/** Rows of a list of facts: each limit, with what was asked for and what is left of it. */
export function spendingFacts({ policy, spent }: SpendStanding): SafeHtml {
  const { perPayment, perDay, inTotal, counterparties } = policy;
  return markup`${
    perPayment === null ? markup`` : markup`<dt>Most per payment</dt><dd>${formatMoney(perPayment)} USDC</dd>\n`
  }${perDay === null ? markup`` : row('Most per day', perDay, spent.today, 'today')}${
    inTotal === null ? markup`` : row('Most in total', inTotal, spent.inTotal, 'so far')
  }${
    counterparties === null
      ? markup``
      : markup`<dt>May ask you to pay</dt><dd>${counterparties.map((wallet) => markup`${addressText(wallet)}<br>\n`)}</dd>\n`
  }`;
}

function row(title: string, most: bigint, spent: bigint, when: string): SafeHtml {
  return markup`<dt>${title}</dt><dd>${formatMoney(most)} USDC<br>
<span class="small">${formatMoney(spent)} asked for ${when}, ${formatMoney(leftOf(most, spent))} left</span></dd>
`;
}
