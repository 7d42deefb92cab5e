import { timeText } from '#libs/prepared-action';
import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { addressText } from '../../../platform/pages/address-text.js';
import { qrCode } from '../../../platform/pages/qr-code.js';
import type { OpenedChallenge } from '../../sign-in/wallet-challenges.js';

/** A problem with the sent form. It is shown at the field, or above the form when the page no longer has that field. */
export interface WalletProblem {
  field: 'address' | 'signature';
  /** Sentence for the person. */
  text: string;
}

export interface WalletFormOptions {
  /** Public path (`publicPath`) above `/challenge` and the path `submit`. */
  base: string;
  /**
   * Path that gets the signature: `sign-in`, `link` to add a wallet to an account, or `take-over` to open an action in
   * this browser.
   */
  submit: 'sign-in' | 'link' | 'take-over';
  /** Token of FormTokens for both forms. */
  formToken: string;
  /** EIP-155 chain id; the page asks wallets in the browser to switch to this chain. */
  chainId: number;
  /**
   * Present in the answer to `/challenge`: the page then shows the message, its QR code and a field for the signature.
   */
  challenge?: OpenedChallenge | undefined;
  problem?: WalletProblem | undefined;
  /** Value of the address field, as it was sent. */
  address?: string | undefined;
}

/** Result of the last attempt; empty for a new form. */
export type WalletDraft = Pick<WalletFormOptions, 'challenge' | 'problem' | 'address'>;

const SUBMIT_WORDS = { 'sign-in': 'Sign in', link: 'Add the wallet', 'take-over': 'Open it here' } as const;

/**
 * The part of a page on which a person proves a wallet: buttons for wallets in this browser, made by
 * `wallet-sign-in.js` (`scripts: ['wallet-sign-in.js']`), and a form that needs neither script nor wallet in this
 * browser.
 */
export function walletForm(options: WalletFormOptions): SafeHtml {
  if (options.challenge) return markup`${messageSection(options, options.challenge)}${addressSection(options)}`;
  return markup`${refusalNotice(options)}${browserSection(options)}${addressSection(options)}`;
}

/** Notice of a refused signature whose message is no longer on the page. */
function refusalNotice({ problem }: WalletFormOptions): SafeHtml {
  if (problem?.field !== 'signature') return markup``;
  return markup`<p class="notice bad" role="alert" tabindex="-1" autofocus>${problem.text}</p>
`;
}

/** Section for wallets in this browser. It stays hidden until the script has found one. */
function browserSection({ base, submit, formToken, chainId }: WalletFormOptions): SafeHtml {
  return markup`<section hidden data-wallet-sign-in data-challenge-path="${base}/challenge" data-chain-id="${chainId}">
<h2>Use a wallet in this browser</h2>
<p role="status"></p>
<p class="notice bad" role="alert" tabindex="-1"></p>
<ul class="choices" data-wallets></ul>
<form method="post" action="${base}/${submit}" hidden>
${hidden('form_token', formToken)}${hidden('challenge_id', '')}${hidden('signature', '')}</form>
</section>
`;
}

/** First step for a wallet on another device: the person enters its address. */
function addressSection({ base, formToken, challenge, problem, address = '' }: WalletFormOptions): SafeHtml {
  const fault = problem?.field === 'address' ? problem : undefined;
  return markup`<section>
<h2>${challenge ? 'Use a different wallet' : 'Use a wallet on another device'}</h2>
<form method="post" action="${base}/challenge">
${hidden('form_token', formToken)}<div class="field">
<label for="address">Wallet address</label>
<p class="hint" id="address-hint">It begins with 0x. We show you a message to sign with that wallet.</p>
<input class="mono" id="address" name="address" value="${address}" required maxlength="42" autocomplete="off"
autocapitalize="none" spellcheck="false" ${described('address', fault)}>
${faultText('address', fault)}</div>
<button>Show the message</button>
</form>
</section>
`;
}

/** Second step: the message as text and as QR code, and the field for its signature. */
function messageSection({ base, submit, formToken, problem }: WalletFormOptions, challenge: OpenedChallenge): SafeHtml {
  return markup`<section>
<h2>Sign this message</h2>
${signatureForm({
  action: `${base}/${submit}`,
  fields: { form_token: formToken },
  challenge,
  problem,
  button: SUBMIT_WORDS[submit],
})}</section>
`;
}

interface SignatureForm {
  /** Public path that the signature is sent to. */
  action: string;
  /** Hidden fields that are sent along. */
  fields: Readonly<Record<string, string>>;
  challenge: OpenedChallenge;
  problem?: WalletProblem | undefined;
  /** Text of the button. */
  button: string;
}

/** A message to sign with any wallet, and the field for its signature. */
export function signatureForm({ action, fields, challenge, problem, button }: SignatureForm): SafeHtml {
  const fault = problem?.field === 'signature' ? problem : undefined;
  const { challengeId, message, expiresAt, address } = challenge;
  return markup`<p>Sign this message with the wallet ${addressText(address)}, exactly as it stands here. Wallets call this “sign
message” or “personal sign”. It works once, until ${momentText(expiresAt)}.</p>
<pre class="copy" tabindex="0" aria-label="Message to sign">${message}</pre>
${messagePicture(message)}<form method="post" action="${action}">
${Object.entries(fields).map(([name, value]) => hidden(name, value))}${hidden('challenge_id', challengeId)}<div class="field">
<label for="signature">Signature</label>
<p class="hint" id="signature-hint">What the wallet answers: text that begins with 0x.</p>
<textarea class="mono" id="signature" name="signature" required autocomplete="off" autocapitalize="none"
spellcheck="false" ${described('signature', fault)}></textarea>
${faultText('signature', fault)}</div>
<button class="primary">${button}</button>
</form>
`;
}

function messagePicture(message: string): SafeHtml {
  const picture = qrCode(message, 'QR code of the message');
  if (picture === null) return markup``;
  return markup`<figure>
<div class="qr">${picture}</div>
<figcaption class="hint">The same message as a QR code, for a wallet on another device.</figcaption>
</figure>
`;
}

function hidden(name: string, value: string): SafeHtml {
  return markup`<input type="hidden" name="${name}" value="${value}">
`;
}

function described(id: string, fault: WalletProblem | undefined): SafeHtml {
  if (!fault) return markup`aria-describedby="${id}-hint"`;
  return markup`aria-describedby="${id}-fault ${id}-hint" aria-invalid="true" autofocus`;
}

function faultText(id: string, fault: WalletProblem | undefined): SafeHtml {
  return fault ? markup`<p class="error" id="${id}-fault" role="alert">${fault.text}</p>\n` : markup``;
}

function momentText(date: Date): SafeHtml {
  return markup`<time datetime="${date.toISOString()}">${timeText(date.getTime() / 1000)}</time>`;
}
