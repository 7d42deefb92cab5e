import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';
import type { AssetName } from '../../../platform/pages/assets/assets.js';
import { webPage } from '../../../platform/pages/page-shell.js';
import { dateTime } from './approval-copy.js';

/** Values that all pages of a signing link share. */
export interface ApprovalFrame {
  displayName: string;
  /** Environment.baseUrl. */
  baseUrl: string;
  chainName: string;
  isTestNetwork: boolean;
}

interface FramedPage {
  title: string;
  body: SafeHtml;
  scripts?: readonly AssetName[];
  styles?: readonly AssetName[];
}

/** A page below `/sign/`, with the service, the network and then the body. */
export function framedPage(frame: ApprovalFrame, { title, body, scripts = [], styles = [] }: FramedPage): string {
  const { displayName, baseUrl, chainName, isTestNetwork } = frame;
  const { host } = new URL(baseUrl);
  const banner = isTestNetwork ? markup`<p class="notice warn">Test network – no real money</p>\n` : markup``;
  const whole = markup`<div class="frame">
${banner}<p class="small">${host} is the signing address of ${displayName}. Network: ${chainName}.
We never ask for your recovery phrase or private key.</p>
</div>
${body}`;
  return webPage({ displayName, baseUrl, title, body: whole, scripts, styles });
}

/** A moment in UTC to the minute, as every time on these pages. */
export function moment(date: Date): SafeHtml {
  return markup`<time datetime="${date.toISOString()}">${dateTime(date)}</time>`;
}
