import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { addressText } from '../../../platform/pages/address-text.js';
import type { AssetName } from '../../../platform/pages/assets/assets.js';
import { publicPath } from '../../../platform/pages/assets/public-path.js';
import { signatureForm, type WalletProblem } from '../../oauth/consent/wallet-form.js';
import type { OpenedChallenge } from '../../sign-in/wallet-challenges.js';
import { type AccountFrame, accountPage, type AccountPath } from './account-page.js';
import { formStart, hiddenField } from './post-button.js';

/** Texts and fields of an action that a wallet must confirm. */
export interface Confirmation {
  /** Heading: what is about to be done. */
  title: string;
  /** What the action means, in one or two sentences. */
  explanation: SafeHtml;
  /** Path that gets the signature (without the base URL's path), and the fields that are sent along. */
  path: string;
  fields: Readonly<Record<string, string>>;
  /** Text of the button. */
  button: string;
  /** The page that "Cancel" returns to. */
  page: AccountPath;
}

interface ConfirmPage {
  challenge: OpenedChallenge;
  /** Seconds until the message expires. */
  lifetimeSeconds: number;
  chainId: number;
  /** Wallets that could sign instead, EIP-55. */
  others: readonly string[];
  problem: WalletProblem | undefined;
  /** Scripts of test wallets that the page loads (platform/pages/assets/test-wallet-scripts.ts). */
  walletScripts: readonly AssetName[];
}

/** The confirmation page: what will be done, and the message that a wallet must sign, in this browser or elsewhere. */
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

/**
 * Section for wallets in this browser. It stays hidden until the script has found one; the script has the message
 * signed.
 */
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

/** Form that asks for the same confirmation by another permitted wallet. */
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
