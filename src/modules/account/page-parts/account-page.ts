import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import { addressText } from '../../../platform/pages/address-text.js';
import type { AssetName } from '../../../platform/pages/assets/assets.js';
import { oneLine } from '../../../platform/pages/one-line.js';
import { webPage } from '../../../platform/pages/page-shell.js';
import type { LeavingWallet } from '../../accounts/wallets/wallet-removals.js';
import type { FormProblem } from './form-problem.js';
import { leavingWallets } from './leaving-wallets.js';
import { postButton } from './post-button.js';

/** What every page of a signed-in person shares. */
export interface AccountFrame {
  displayName: string;
  baseUrl: string;
  /** The account's name and the wallet of the session. */
  name: string;
  walletAddress: string;
  /** Issues the form token for a target path (without the base URL's path). */
  tokenFor: (path: string) => string;
  /** Wallets that will be removed from the account. */
  leaving: readonly LeavingWallet[];
  /** Sentence about what the person has just done; null for none. */
  notice: string | null;
  /** Why the sent form was not carried out; null when there is no problem. */
  problem: FormProblem | null;
}

const PAGES = [
  ['/account', 'Account'],
  ['/account/apps', 'Connected apps'],
  ['/account/keys', 'API keys'],
  ['/account/webhooks', 'Webhooks'],
  ['/account/wallets', 'Wallets'],
  ['/account/sessions', 'Sessions'],
  ['/account/receipts', 'Receipts'],
  ['/account/activity', 'Activity'],
] as const;

export type AccountPath = (typeof PAGES)[number][0];

interface AccountPage {
  path: AccountPath;
  title: string;
  body: SafeHtml;
  scripts?: readonly AssetName[];
}

/** A whole page: navigation, notices, the body, and who is signed in. */
export function accountPage(frame: AccountFrame, { path, title, body, scripts = [] }: AccountPage): string {
  const { displayName, baseUrl } = frame;
  const nav = PAGES.map(([target, text]) => ({ text, path: target, isCurrent: target === path }));
  const whole = markup`<h1>${title}</h1>
${leavingWallets(frame, frame.leaving)}${outcome(frame)}${body}${standing(frame)}`;
  return webPage({ displayName, baseUrl, title, body: whole, scripts, nav });
}

/** A notice or a problem above the content. A problem of one field is shown at the field instead. */
function outcome({ notice, problem }: AccountFrame): SafeHtml {
  if (problem && problem.field === undefined) {
    return markup`<div class="notice bad" role="alert"><p>${problem.text}</p></div>
`;
  }
  return notice === null || problem ? markup`` : markup`<div class="notice" role="status"><p>${notice}</p></div>\n`;
}

function standing(frame: AccountFrame): SafeHtml {
  return markup`<section class="screen" aria-labelledby="signed-in">
<h2 id="signed-in">Signed in</h2>
<p>Account <bdi>${oneLine(frame.name)}</bdi>, with the wallet ${addressText(frame.walletAddress)}.</p>
${postButton(frame, { path: '/account/sign-out', text: 'Sign out' })}</section>`;
}
