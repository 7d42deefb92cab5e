import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { addressText } from '../../../platform/pages/address-text.js';
import type { AssetName } from '../../../platform/pages/assets/assets.js';
import { walletForm, type WalletFormOptions } from '../../oauth/consent/wallet-form.js';
import type { LinkedWallet } from '../../accounts/wallets/account-wallets.js';
import { type AccountFrame, accountPage } from '../page-parts/account-page.js';
import { instant, instantOr } from '../page-parts/utc-instant.js';
import { postButton } from '../page-parts/post-button.js';

/**
 * The page of an account's wallets, with the form that adds one. @param walletScripts see
 * platform/pages/assets/test-wallet-scripts.ts.
 */
export function walletsPage(
  frame: AccountFrame,
  wallets: readonly LinkedWallet[],
  form: WalletFormOptions,
  walletScripts: readonly AssetName[],
): string {
  const body = markup`<p class="lead">Each of these wallets signs in to this account. One of them signs its actions:
every action is prepared for that wallet, and no other can confirm it.</p>
<p>Every change on this page needs a signature of the wallet that signs actions.</p>
${wallets.map((wallet, index) => walletCard(frame, wallet, index))}<section aria-labelledby="add-wallet">
<h2 id="add-wallet">Add a wallet</h2>
<p>First the new wallet signs a message that shows it is yours. Then the wallet that signs your actions agrees. Neither
moves funds. The new wallet signs in to this account from then on, and to no other.</p>
</section>
${walletForm(form)}`;
  const scripts = ['wallet-sign-in.js' as const, ...walletScripts];
  return accountPage(frame, { path: '/account/wallets', title: 'Wallets', body, scripts });
}

function walletCard(frame: AccountFrame, wallet: LinkedWallet, index: number): SafeHtml {
  const { address, linkedAt, signs, unlinkAt } = wallet;
  return markup`<section class="card" aria-labelledby="wallet-${index}">
<h2 id="wallet-${index}">${addressText(address)}${signs ? markup` <span class="tag">signs actions</span>` : markup``}</h2>
<dl class="facts">
<dt>Kind</dt><dd>${kindOf(wallet)}</dd>
<dt>Added</dt><dd>${instantOr(linkedAt, 'by the operator')}</dd>
${unlinkAt === null ? markup`` : markup`<dt>Leaves</dt><dd>${instant(unlinkAt)}</dd>\n`}</dl>
${signs ? signingWords() : unlinkAt === null ? otherButtons(frame, address) : markup``}</section>
`;
}

function kindOf({ chainId, linkedAt }: LinkedWallet): string {
  if (linkedAt === null) return 'Has not signed in yet';
  return chainId === 0 ? 'Standard wallet' : `Contract wallet on the network with chain ID ${chainId}`;
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
<p class="hint">“Use for signing”: new actions are prepared for this wallet; earlier ones stay with the present wallet.
“Remove”: after 24 hours it no longer signs in here, and browsers that it signed in are signed out.</p>
`;
}
