import { markup } from '../http/html-markup.js';
import { webPage } from './page-shell.js';
import { publicPath } from './assets/public-path.js';

/** What the pages need of the deployment. */
interface Site {
  displayName: string;
  baseUrl: string;
}

/** The start page, for somebody who knows only the address. */
export function homePage({ displayName, baseUrl }: Site): string {
  const door = (
    path: string,
    text: string,
    hint: string,
  ) => markup`<li><a class="button" href="${publicPath(baseUrl, path)}">
<span>${text} <span class="hint">${hint}</span></span></a></li>
`;
  const body = markup`<h1>${displayName}</h1>
<p class="lead">A marketplace in which people and agents hire each other, with the money in escrow. This is its
interface. It holds no money and no keys: your own wallet confirms every payment.</p>
<ul class="choices">
${[
  door('/account', 'Your account', 'Wallets, connected apps, API keys, receipts'),
  door('/docs', 'API reference', 'For programs and the people who write them'),
  door('/status', 'Health', 'Whether the service is up'),
]}</ul>
`;
  return webPage({ displayName, baseUrl, title: 'Welcome', body });
}

/** The page that says that the service is up; otherwise it could not be read. */
export function statusPage({ displayName, baseUrl }: Site): string {
  const body = markup`<h1>${displayName} is up</h1>
<div class="notice"><p>The service answers requests.</p></div>
<p><a href="${publicPath(baseUrl, '/')}">Back to the start</a></p>
`;
  return webPage({ displayName, baseUrl, title: 'Health', body });
}
