import type { ActionStatus } from '#libs/prepared-action';
import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import type { AssetName } from '../../../platform/pages/assets/assets.js';
import { walletForm, type WalletFormOptions } from '../../oauth/consent/wallet-form.js';
import { type ApprovalFrame, framedPage, moment } from './approval-frame.js';
import type { DeclinedBy } from '../../prepared-actions/action/prepared-action.entity.js';
import { dateTime, declinedLine, endedAdvice, endedHeading, kindWords, waitsFor } from './approval-copy.js';

/** What a signing link shows to anybody who has it. */
export interface ClosedAction {
  kind: string;
  walletAddress: string;
  status: ActionStatus;
  expiresAt: Date;
  signature: string | null;
  renewedBy: string | null;
  declinedBy: DeclinedBy | null;
}

/** The page of a link before anybody has opened the action: no details, and one button. */
export function unclaimedPage(frame: ApprovalFrame, action: ClosedAction, base: string): string {
  const isSigned = waitsFor(action.status, action) === 'sending';
  const body = markup`<h1>${isSigned ? 'A signed request waits to be sent' : 'You are asked to sign a request'}</h1>
${outline(frame, action)}<form method="post" action="${base}/claim">
<button class="primary">Open this request</button>
</form>
<p class="small">The request opens in this browser only. Opening it signs nothing.</p>`;
  return framedPage(frame, { title: 'Open a request', body });
}

/** The page of a link whose action was not opened in this browser and can no longer be signed. */
export function endedPage(frame: ApprovalFrame, action: ClosedAction): string {
  const heading = endedHeading(action.status, action);
  const body = markup`<h1>${heading}</h1>
${outline(frame, action)}<p>${action.status === 'declined' ? `${declinedLine(action.declinedBy)} ` : ''}${endedAdvice(action.status)}</p>`;
  return framedPage(frame, { title: heading, body });
}

/**
 * The page of a link whose action another browser has opened. A person who proves the wallet can take the action over.
 */
export function elsewherePage(
  frame: ApprovalFrame,
  action: ClosedAction,
  {
    claimedAt,
    wallet,
    walletScripts,
  }: { claimedAt: Date; wallet: WalletFormOptions; walletScripts: readonly AssetName[] },
): string {
  const body = markup`<h1>Opened elsewhere at ${dateTime(claimedAt)}</h1>
${outline(frame, action)}<p>If that was you, prove here that you have the wallet. This browser then takes the request over, and the other one
loses it.</p>
<p>If that was not you: close this page and contact the app that sent you here.</p>
${walletForm(wallet)}`;
  return framedPage(frame, { title: 'Opened elsewhere', body, scripts: ['wallet-sign-in.js', ...walletScripts] });
}

/**
 * The page for a browser that comes from another site. Its cookies are sent with the next request, which this page
 * makes.
 */
export function arrivingPage(frame: ApprovalFrame, base: string): string {
  const body = markup`<h1>One moment</h1>
<p><a href="${base}">Continue to the request</a></p>`;
  return framedPage(frame, { title: 'One moment', body });
}

/** The page for an invalid link. */
export function unknownLinkPage(frame: ApprovalFrame): string {
  const body = markup`<h1>This link is not valid</h1>
<p>Copy the whole link: it is long. If that does not help, ask the app that sent you here for a new one.</p>`;
  return framedPage(frame, { title: 'This link is not valid', body });
}

function outline({ chainName }: ApprovalFrame, { kind, walletAddress, expiresAt }: ClosedAction): SafeHtml {
  return markup`<dl class="facts">
<dt>What</dt><dd>${kindWords(kind)}</dd>
<dt>Network</dt><dd>${chainName}</dd>
<dt>Wallet</dt><dd>the address that ends in <code>${walletAddress.slice(-4)}</code></dd>
<dt>Until</dt><dd>${moment(expiresAt)}</dd>
</dl>
`;
}
