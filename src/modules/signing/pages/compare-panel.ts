import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { addressText } from '../../../platform/pages/address-text.js';
import type { ApprovalPageContent } from './approval-page-content.js';

/**
 * Everything that a wallet shows about the request, with the same names and in the same order, for comparison by eye;
 * with a payment also the terms that it is for.
 */
export function comparePanel({ action, fields, hashes, deployment }: ApprovalPageContent): SafeHtml {
  const { domain, types, primaryType, message } = action.payload;
  const addresses = [
    { label: 'Your wallet', address: action.walletAddress },
    { label: 'Task escrow', address: action.escrowAddress },
    { label: 'USDC', address: deployment.usdc },
  ];
  const shown = [
    { label: 'Domain hash', value: hashes.domainHash },
    { label: 'Message hash', value: hashes.messageHash },
    { label: 'Digest', value: hashes.digest },
    { label: 'Request digest', value: action.requestDigest },
    { label: 'Action ID', value: action.id },
    { label: 'Nonce', value: action.nonce.toString() },
  ];
  return markup`<details data-kept="compare">
<summary>Compare with your wallet</summary>
<dl class="facts">
${fields.map(({ label, value }) => markup`<dt>${label}</dt><dd>${value}</dd>\n`)}${addresses.map(
    ({ label, address }) => markup`<dt>${label}</dt><dd>${addressText(address)}</dd>\n`,
  )}${shown.map(({ label, value }) => markup`<dt>${label}</dt><dd><code translate="no">${value}</code></dd>\n`)}</dl>
<pre class="copy" tabindex="0" aria-label="Typed data" translate="no">${JSON.stringify({ domain, types, primaryType, message }, null, 2)}</pre>
</details>
`;
}
