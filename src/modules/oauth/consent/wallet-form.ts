import { timeText } from '#libs/prepared-action';
import { markup, type SafeHtml } from '../../../platform/http/html-page.js';
import { addressText } from '../../../platform/pages/address-text.js';
import { qrCode } from '../../../platform/pages/qr-code.js';
import type { OpenedChallenge } from '../../sign-in/wallet-challenges.js';

/** What is wrong with what was sent; told at the field, or above all of them where the page has the field no more. */
export interface WalletProblem {
  field: 'address' | 'signature';
  /** A sentence of ours. */
  text: string;
}

export interface WalletFormOptions {
  /** Public path (`publicPath`) below which `/challenge` and the path of the proof lie. */
  base: string;
  /** Where the proof goes: `sign-in`, `link` to add a wallet to an account, or `take-over` to open an action here. */
  submit: 'sign-in' | 'link' | 'take-over';
  /** Token of FormTokens for both forms. */
  formToken: string;
  /** EIP-155; wallets of the browser are asked to be on this chain. */
  chainId: number;
  /** Given on the answer to `/challenge`: the page shows the message, its QR and a field for the signature. */
  challenge?: OpenedChallenge | undefined;
  problem?: WalletProblem | undefined;
  /** What stands in the address field, as it was sent. */
  address?: string | undefined;
}

/** What came of the last attempt; empty for a form that is new. */
export type WalletDraft = Pick<WalletFormOptions, 'challenge' | 'problem' | 'address'>;

const SUBMIT_WORDS = { 'sign-in': 'Sign in', link: 'Add the wallet', 'take-over': 'Open it here' } as const;

/**
 * The part of a page that proves a wallet: buttons for the wallets of this browser, made by `wallet-sign-in.js`
 * (`scripts: ['wallet-sign-in.js']`), and a way that needs neither script nor wallet here.
 */
export function walletForm(options: WalletFormOptions): SafeHtml {
  if (options.challenge) return markup`${messageSection(options, options.challenge)}${addressSection(options)}`;
  return markup`${refusalNotice(options)}${browserSection(options)}${addressSection(options)}`;
}

/** A signature that was not accepted, where the message that it was for is not on the page any more. */
function refusalNotice({ problem }: WalletFormOptions): SafeHtml {
  if (problem?.field !== 'signature') return markup``;
  return markup`<p class="notice bad" role="alert" tabindex="-1" autofocus>${problem.text}</p>
`;
}

/** Hidden until the script has something to put into it. */
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

/** The first step without a wallet here: which one is going to sign. */
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

/** The second step: the message, in clear and for a camera, and where its signature goes. */
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
  /** What is sent with it. */
  fields: Readonly<Record<string, string>>;
  challenge: OpenedChallenge;
  problem?: WalletProblem | undefined;
  /** Text of the button. */
  button: string;
}

/** A message that is to be signed anywhere, and the field for its signature. */
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
