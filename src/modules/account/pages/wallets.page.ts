import { markup, type SafeHtml } from '../../../platform/http/html-page.js';
import { addressText } from '../../../platform/web/address-text.js';
import { walletForm, type WalletFormOptions } from '../../auth/consent/wallet-form.js';
import type { LinkedWallet } from '../../auth/wallets/account-wallets.js';
import { type AccountFrame, accountPage } from './account-page.js';
import { instantOr } from './instant.js';
import { postButton } from './post-button.js';

/** The wallets of the account, and the way to add one. */
export function walletsPage(frame: AccountFrame, wallets: readonly LinkedWallet[], form: WalletFormOptions): string {
  const body = markup`<p class="lead">Each of these wallets signs in to this account. One of them signs its actions: what is
prepared for you is prepared for that wallet, and no other can confirm it.</p>
${wallets.map((wallet, index) => walletCard(frame, wallet, index))}<section aria-labelledby="add-wallet">
<h2 id="add-wallet">Add a wallet</h2>
<p>The wallet signs a message to show that it is yours. That moves no funds and approves nothing. From then on it signs in
to this account, and to no other.</p>
</section>
${walletForm(form)}`;
  return accountPage(frame, { path: '/account/wallets', title: 'Wallets', body, scripts: ['wallet-sign-in.js'] });
}

function walletCard(frame: AccountFrame, wallet: LinkedWallet, index: number): SafeHtml {
  const { address, linkedAt, signs } = wallet;
  return markup`<section class="card" aria-labelledby="wallet-${index}">
<h2 id="wallet-${index}">${addressText(address)}${signs ? markup` <span class="tag">signs actions</span>` : markup``}</h2>
<dl class="facts">
<dt>Kind</dt><dd>${kindOf(wallet)}</dd>
<dt>Added</dt><dd>${instantOr(linkedAt, 'by an operator')}</dd>
</dl>
${signs ? signingWords() : otherButtons(frame, address)}</section>
`;
}

function kindOf({ chainId, linkedAt }: LinkedWallet): string {
  if (linkedAt === null) return 'not proved by a signature yet';
  return chainId === 0 ? 'a key of its own' : `a contract on the network with chain id ${chainId}`;
}

function signingWords(): SafeHtml {
  return markup`<p class="hint">To remove it, let another wallet sign actions first.</p>\n`;
}

function otherButtons(frame: AccountFrame, address: string): SafeHtml {
  const ending = `the wallet that ends in ${address.slice(-4)}`;
  const values = { address };
  return markup`<div class="actions">
${postButton(frame, { path: '/account/wallets/use', text: 'Use for signing', about: ending, values })}${postButton(
    frame,
    {
      path: '/account/wallets/unlink',
      text: 'Remove',
      about: ending,
      values,
      isFinal: true,
    },
  )}</div>
<p class="hint">“Use for signing”: actions that are prepared from then on are for this wallet; those prepared before stay for
the one before. “Remove”: it no longer signs in here, and browsers that it signed in are signed out.</p>
`;
}
