import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { addressText } from '../../../platform/pages/address-text.js';
import type { LeavingWallet } from '../../accounts/wallets/wallet-removals.js';
import { instant } from './utc-instant.js';
import { type FormMaker, postButton } from './post-button.js';

/**
 * Notices about wallets that will be removed, each with a button that keeps the wallet. Every account page shows them.
 */
export function leavingWallets(frame: FormMaker, wallets: readonly LeavingWallet[]): SafeHtml {
  return markup`${wallets.map((wallet) => leavingWallet(frame, wallet))}`;
}

function leavingWallet(frame: FormMaker, { address, unlinkAt }: LeavingWallet): SafeHtml {
  return markup`<section class="notice warn screen" aria-label="A wallet will be removed">
<p><strong>The wallet ${addressText(address)} will be removed on ${instant(unlinkAt)}.</strong> Until then it signs in as
before. If you did not ask for this, keep it.</p>
${postButton(frame, {
  path: '/account/wallets/keep',
  text: 'Keep this wallet',
  about: `the wallet that ends in ${address.slice(-4)}`,
  values: { address },
})}</section>
`;
}
