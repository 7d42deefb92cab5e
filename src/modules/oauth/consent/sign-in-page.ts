import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { addressText } from '../../../platform/pages/address-text.js';
import type { AssetName } from '../../../platform/pages/assets/assets.js';
import { webPage } from '../../../platform/pages/page-shell.js';
import { clientName, clientStanding, type NamedClient } from './client-copy.js';
import { walletForm, type WalletFormOptions } from './wallet-form.js';

interface SignInPage {
  displayName: string;
  baseUrl: string;
  /** The application that sent the person here. */
  client: NamedClient;
  wallet: WalletFormOptions;
  /** Wallet of a session with which the person could continue; null = none. */
  signedInAs: string | null;
  /** Scripts of test wallets that the page loads (platform/pages/assets/test-wallet-scripts.ts). */
  walletScripts: readonly AssetName[];
}

/** The sign-in page of an interaction: which application sent the person, and the ways to sign in. */
export function signInPage({ displayName, baseUrl, client, wallet, signedInAs, walletScripts }: SignInPage): string {
  const title = `Sign in to ${displayName}`;
  const body = markup`<h1>${title}</h1>
<p class="lead"><strong>${clientName(client)}</strong> ${clientStanding(client)} sent you here.
In the next step you decide what it may do.
Connecting an application always needs a new signature of your wallet.</p>
<p>This is ${displayName} at <strong><bdi>${new URL(baseUrl).host}</bdi></strong>. You sign in by signing a message with
your wallet. That moves no funds and approves nothing. We never ask for your recovery phrase or private key.</p>
${goOnSection(wallet.base, signedInAs)}${walletForm(wallet)}${cancelForm(wallet.base, wallet.formToken)}`;
  return webPage({ displayName, baseUrl, title, body, scripts: ['wallet-sign-in.js', ...walletScripts] });
}

/** Form that sends the person back to the application without signing in. */
function cancelForm(base: string, formToken: string): SafeHtml {
  return markup`<form class="actions" method="post" action="${base}/cancel">
<input type="hidden" name="form_token" value="${formToken}">
<button>Cancel and go back</button>
</form>
`;
}

function goOnSection(base: string, signedInAs: string | null): SafeHtml {
  if (signedInAs === null) return markup``;
  return markup`<div class="card">
<p>You are signed in with ${addressText(signedInAs)}.</p>
<p><a class="button" href="${base}">Continue with this wallet</a></p>
</div>
`;
}
