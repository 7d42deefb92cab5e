import type { ActionStatus } from '#libs/prepared-action';
import { markup, type SafeHtml } from '../../../platform/http/html-page.js';
import { walletForm, type WalletFormOptions } from '../../auth/consent/wallet-form.js';
import { type ApprovalFrame, framedPage, moment } from './approval-frame.js';
import { endedAdvice, endedHeading, kindWords, utcTime } from './approval-words.js';

/** What a link tells whoever has it. */
export interface ClosedAction {
  kind: string;
  walletAddress: string;
  status: ActionStatus;
  expiresAt: Date;
  signature: string | null;
  renewedBy: string | null;
}

/** The page of a link before anybody has opened the action: not what it is about, and one button. */
export function unclaimedPage(frame: ApprovalFrame, action: ClosedAction, base: string): string {
  const body = markup`<h1>A request waits for your signature</h1>
${outline(frame, action)}<form method="post" action="${base}/claim">
<button class="primary">Open this request</button>
</form>
<p class="small">It opens in this browser and in no other. Opening it signs nothing.</p>`;
  return framedPage(frame, { title: 'Open a request', body });
}

/** The page of a link whose action was not opened here and cannot be signed any more. */
export function endedPage(frame: ApprovalFrame, action: ClosedAction): string {
  const heading = endedHeading(action.status, action);
  const body = markup`<h1>${heading}</h1>
${outline(frame, action)}<p>${endedAdvice(action.status)}</p>`;
  return framedPage(frame, { title: heading, body });
}

/** The page of a link whose action another browser has open: who has the wallet takes it over. */
export function elsewherePage(
  frame: ApprovalFrame,
  action: ClosedAction,
  { claimedAt, wallet }: { claimedAt: Date; wallet: WalletFormOptions },
): string {
  const body = markup`<h1>Opened elsewhere at ${utcTime(claimedAt)}</h1>
${outline(frame, action)}<p>If that was you and you want to go on here, prove that you have the wallet. The other browser then
loses the request. If it was not you, decline nothing and sign nothing: ask the app that sent you here.</p>
${walletForm(wallet)}`;
  return framedPage(frame, { title: 'Opened elsewhere', body, scripts: ['wallet-sign-in.js'] });
}

/** For a browser that another site sent here: its cookies come along once the request is its own. */
export function arrivingPage(frame: ApprovalFrame, base: string): string {
  const body = markup`<h1>One moment</h1>
<p><a href="${base}">Go on to the request</a></p>`;
  return framedPage(frame, { title: 'One moment', body });
}

/** A link that leads to nothing. */
export function unknownLinkPage(frame: ApprovalFrame): string {
  const body = markup`<h1>This link is not valid</h1>
<p>Ask the app that sent you here for a new one. Links are long: copy the whole of it.</p>`;
  return framedPage(frame, { title: 'This link is not valid', body });
}

function outline({ chainName }: ApprovalFrame, { kind, walletAddress, expiresAt }: ClosedAction): SafeHtml {
  return markup`<dl class="facts">
<dt>What</dt><dd>${kindWords(kind)}</dd>
<dt>Network</dt><dd>${chainName}</dd>
<dt>Wallet</dt><dd>the one whose address ends in <code>${walletAddress.slice(-4)}</code></dd>
<dt>Until</dt><dd>${moment(expiresAt)}</dd>
</dl>
`;
}
