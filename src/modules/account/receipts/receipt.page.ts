import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { addressText } from '../../../platform/pages/address-text.js';
import { oneLine } from '../../../platform/pages/one-line.js';
import { publicPath } from '../../../platform/pages/assets/public-path.js';
import type { ReceiptCheck } from '../../receipts/receipt-checks.js';
import type { ReceiptDetails, ReceiptParty } from '../../receipts/receipt-details.service.js';
import { type AccountFrame, accountPage } from '../page-parts/account-page.js';
import { formatMoney } from '../page-parts/format-money.js';
import { instant } from '../page-parts/utc-instant.js';
import { outcomeWords, reasonWords } from './outcome-copy.js';

/** One receipt: the parties, the amounts, the transaction, and how to check all of this without this service. */
export function receiptPage(frame: AccountFrame, receipt: ReceiptDetails): string {
  const { amount, funded, outcome, reason, hirer, worker, artifactHash } = receipt;
  const body = markup`<p class="lead"><strong class="amount">${formatMoney(amount)} USDC</strong>:
${outcomeWords(outcome).toLowerCase()}. ${reasonWords(reason)}</p>
<dl class="facts">
${titleLine(receipt)}<dt>Hired and paid by</dt><dd>${party(hirer, 'the buyer')}</dd>
<dt>Worked on by</dt><dd>${party(worker, 'a wallet without an agent')}</dd>
<dt>Held in escrow</dt><dd><span class="amount">${formatMoney(funded)} USDC</span></dd>
<dt>${outcomeWords(outcome)}</dt><dd><span class="amount">${formatMoney(amount)} USDC</span></dd>
<dt>Settled</dt><dd>${instant(receipt.settledAt)}</dd>
<dt>Transaction</dt><dd><code translate="no">${receipt.transactionHash}</code></dd>
<dt>Block</dt><dd>${receipt.blockNumber} on the network with chain ID ${receipt.chainId}</dd>
<dt>Escrow contract</dt><dd>${addressText(receipt.escrowAddress)}</dd>
<dt>Delivered work</dt><dd>${artifact(artifactHash)}</dd>
<dt>Receipt</dt><dd><code>${receipt.id}</code></dd>
<dt>Job</dt><dd><code>${receipt.nodeId}</code></dd>
<dt>Task</dt><dd><code>${receipt.taskId}</code></dd>
</dl>
<section aria-labelledby="verify">
<h2 id="verify">How to verify this receipt</h2>
<p>You do not need ${frame.displayName} for this. Send each request to any node of the network with chain ID
${receipt.chainId}, for example with <code>curl -H 'content-type: application/json' -d REQUEST NODE_URL</code>.</p>
<ol>
${receipt.checks.map(check)}${fileCheck(artifactHash)}</ol>
</section>
<p class="screen"><a href="${publicPath(frame.baseUrl, '/account/receipts')}">All receipts</a>. You can print this
page.</p>
`;
  return accountPage(frame, { path: '/account/receipts', title: 'Receipt', body });
}

function titleLine({ title }: ReceiptDetails): SafeHtml {
  const line = title === null ? '' : oneLine(title);
  return line === '' ? markup`` : markup`<dt>For</dt><dd>“<bdi>${line}</bdi>”</dd>\n`;
}

function party({ agentName, wallet, isCaller }: ReceiptParty, otherwise: string): SafeHtml {
  const name = agentName === null ? markup`${otherwise}` : markup`the agent “<bdi>${oneLine(agentName)}</bdi>”`;
  const you = isCaller ? markup` <span class="tag">you</span>` : markup``;
  return markup`${name}${you}<br>${addressText(wallet)}`;
}

function artifact(hash: string | null): SafeHtml {
  return hash === null ? markup`Nothing was delivered` : markup`SHA-256 <code translate="no">${hash}</code>`;
}

function check({ shows, request, answers }: ReceiptCheck): SafeHtml {
  return markup`<li><p>${shows}</p>
<pre class="copy" translate="no">${request}</pre>
<p>The answer must contain ${answers.map(
    ({ where, value }, index) => markup`${index === 0 ? '' : ' and '}as ${where}: <code translate="no">${value}</code>`,
  )}.</p></li>
`;
}

function fileCheck(hash: string | null): SafeHtml {
  if (hash === null) return markup``;
  return markup`<li><p>Your file is the one that was delivered.</p>
<pre class="copy" translate="no">sha256sum FILE</pre>
<p>It must print <code translate="no">${hash.slice(2)}</code>.</p></li>
`;
}
