import { markup, type SafeHtml } from '../../../platform/http/html-page.js';
import { addressText } from '../../../platform/pages/address-text.js';
import type { AssetName } from '../../../platform/pages/assets/assets.js';
import { publicPath } from '../../../platform/pages/assets/public-path.js';
import { signatureForm, type WalletProblem } from '../../oauth/consent/wallet-form.js';
import type { OpenedChallenge } from '../../sign-in/wallet-challenges.js';
import { type AccountFrame, accountPage, type AccountPath } from './account-page.js';
import { formStart, hiddenField } from './post-button.js';

/** Something that a wallet must agree to before it is done. */
export interface Confirmation {
  /** Heading: what is about to be done. */
  title: string;
  /** What it means, in one or two sentences. */
  explanation: SafeHtml;
  /** Path that the signature is sent to, without the base URL's, and what is sent with it. */
  path: string;
  fields: Readonly<Record<string, string>>;
  /** Text of the button. */
  button: string;
  /** The page that it belongs to, to which "Cancel" leads. */
  page: AccountPath;
}

interface ConfirmPage {
  challenge: OpenedChallenge;
  /** Seconds until the message is worth nothing. */
  lifetimeSeconds: number;
  chainId: number;
  /** Wallets that could sign instead, EIP-55. */
  others: readonly string[];
  problem: WalletProblem | undefined;
  /** Wallets that come with the page (platform/pages/assets/test-wallet-scripts.ts). */
  walletScripts: readonly AssetName[];
}

/** What is about to be done, and the message by which a wallet agrees to it: in this browser, or anywhere else. */
export function confirmPage(frame: AccountFrame, confirmation: Confirmation, page: ConfirmPage): string {
  const { title, explanation, path, fields, button } = confirmation;
  const { challenge, problem, walletScripts } = page;
  const action = publicPath(frame.baseUrl, path);
  const body = markup`${refusal(problem)}<p class="lead">${explanation}</p>
<p>The wallet ${addressText(challenge.address)} must sign a message that says so. Signing moves no funds.</p>
${browserSection(frame, confirmation, page)}<section>
<h2>Use a wallet on another device</h2>
${signatureForm({
  action,
  fields: { form_token: frame.tokenFor(path), ...fields },
  challenge,
  button,
})}</section>
${page.others.map((other) => otherSigner(frame, confirmation, other))}<p class="actions"><a class="button" href="${publicPath(frame.baseUrl, confirmation.page)}">Cancel</a></p>
`;
  return accountPage(frame, {
    path: confirmation.page,
    title,
    body,
    scripts: ['wallet-sign-in.js', ...walletScripts],
  });
}

function refusal(problem: WalletProblem | undefined): SafeHtml {
  if (problem === undefined) return markup``;
  return markup`<p class="notice bad" role="alert" tabindex="-1" autofocus>${problem.text}</p>
`;
}

/** Hidden until the script has something to put into it; the script signs the message of this page. */
function browserSection(
  frame: AccountFrame,
  { path, fields }: Confirmation,
  { challenge, lifetimeSeconds, chainId }: ConfirmPage,
): SafeHtml {
  return markup`<section hidden data-wallet-sign-in data-wallet="${challenge.address}" data-chain-id="${chainId}"
data-message="${challenge.message}" data-lifetime="${lifetimeSeconds}">
<h2>Use a wallet in this browser</h2>
<p role="status"></p>
<p class="notice bad" role="alert" tabindex="-1"></p>
<ul class="choices" data-wallets></ul>
${formStart(frame, path, { hidden: true })}${hiddenFields(fields)}${hiddenField('challenge_id', challenge.challengeId)}${hiddenField('signature', '')}</form>
</section>
`;
}

/** Asks for the same again, to be signed by another wallet that may. */
function otherSigner(frame: AccountFrame, { path, fields }: Confirmation, address: string): SafeHtml {
  return markup`<section>
<h2>Sign with a different wallet</h2>
<p>The wallet ${addressText(address)} can confirm this too.</p>
${formStart(frame, path)}${hiddenFields({ ...fields, by: address })}<button>Use that wallet</button>
</form>
</section>
`;
}

function hiddenFields(fields: Readonly<Record<string, string>>): SafeHtml {
  return markup`${Object.entries(fields).map(([name, value]) => hiddenField(name, value))}`;
}
