import { markup } from '../../platform/http/html-markup.js';
import { addressText } from '../../platform/pages/address-text.js';
import { publicPath } from '../../platform/pages/assets/public-path.js';
import type { WebhookState } from './webhooks/account-webhooks.service.js';
import { stoppedWebhooks } from './webhooks/stopped-webhooks.js';
import { type AccountFrame, accountPage } from './page-parts/account-page.js';

/** Numbers for the overview of an account. */
interface Overview {
  accountId: string;
  /** EIP-55; null = none yet. */
  signingWallet: string | null;
  apps: number;
  liveKeys: number;
  wallets: number;
  sessions: number;
  webhooks: readonly WebhookState[];
}

/** The first page of an account: its id and signing wallet, and links to everything that acts for the person. */
export function overviewPage(frame: AccountFrame, overview: Overview): string {
  const { signingWallet } = overview;
  const link = (
    path: string,
    text: string,
  ) => markup`<li><a class="button" href="${publicPath(frame.baseUrl, path)}">${text}</a></li>
`;
  const body = markup`${stoppedWebhooks(frame, overview.webhooks)}<p class="lead">What can act for you, and how to stop it.</p>
<dl class="facts">
<dt>Account</dt><dd><code>${overview.accountId}</code></dd>
<dt>Signing wallet</dt><dd>${signingWallet === null ? markup`no wallet yet` : addressText(signingWallet)}</dd>
</dl>
<ul class="choices">
${[
  link('/account/apps', counted(overview.apps, 'connected app', 'connected apps')),
  link('/account/keys', counted(overview.liveKeys, 'active API key', 'active API keys')),
  link('/account/webhooks', counted(overview.webhooks.length, 'webhook endpoint', 'webhook endpoints')),
  link('/account/wallets', counted(overview.wallets, 'wallet', 'wallets')),
  link('/account/sessions', counted(overview.sessions, 'signed-in browser', 'signed-in browsers')),
  link('/account/receipts', 'Receipts'),
  link('/account/activity', 'Latest activity'),
]}</ul>
<p>Nothing here can sign or move money. Only your wallet can.</p>
`;
  return accountPage(frame, { path: '/account', title: 'Your account', body });
}

function counted(count: number, one: string, many: string): string {
  if (count === 0) return `No ${many}`;
  return `${count} ${count === 1 ? one : many}`;
}
