import { markup } from '../../../platform/http/html-markup.js';
import type { AssetName } from '../../../platform/pages/assets/assets.js';
import { webPage } from '../../../platform/pages/page-shell.js';
import { walletForm, type WalletFormOptions } from '../../oauth/consent/wallet-form.js';

interface AccountSignInPage {
  displayName: string;
  baseUrl: string;
  wallet: WalletFormOptions;
  /** Sentence about what the person has just done; null for none. */
  notice: string | null;
  /** Scripts of test wallets that the page loads (platform/pages/assets/test-wallet-scripts.ts). */
  walletScripts: readonly AssetName[];
}

/** The sign-in page for a person who was not sent here by an app. */
export function signInPage({ displayName, baseUrl, wallet, notice, walletScripts }: AccountSignInPage): string {
  const title = `Sign in to ${displayName}`;
  const body = markup`<h1>${title}</h1>
${notice === null ? markup`` : markup`<div class="notice" role="status"><p>${notice}</p></div>\n`}<p>This is ${displayName}
at <strong><bdi>${new URL(baseUrl).host}</bdi></strong>. You sign in by signing a message with your wallet. That moves
no funds and approves nothing. We never ask for your recovery phrase or private key.</p>
${walletForm(wallet)}`;
  return webPage({ displayName, baseUrl, title, body, scripts: ['wallet-sign-in.js', ...walletScripts] });
}
