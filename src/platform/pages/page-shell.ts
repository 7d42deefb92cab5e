import { PAGE_POLICY } from '../http/headers/content-security-policies.js';
import type { Response } from 'express';
import { markup, type SafeHtml } from '../http/html-markup.js';
import { asset, type AssetName, assetPath } from './assets/assets.js';
import { publicPath } from './assets/public-path.js';

/** A page, without what all pages have. */
interface WebPage {
  /** Name of the service. */
  displayName: string;
  /** Environment.baseUrl; paths of assets and links come from it. */
  baseUrl: string;
  /** Heading of the page's window; the body has the `h1`. */
  title: string;
  body: SafeHtml;
  /** Modules that make the page more comfortable; it works without them. */
  scripts?: readonly AssetName[];
  /** Style beyond that of all pages. */
  styles?: readonly AssetName[];
  /** Links between the pages of a signed-in person. */
  nav?: readonly NavLink[];
}

interface NavLink {
  text: string;
  /** Path of ours, without the base URL's. */
  path: string;
  isCurrent: boolean;
}

/** What a browser may do for the page beyond what every page may. */
interface WebPageOptions {
  /**
   * True: a form of the page ends at another site. Chromium applies `form-action` to the whole chain of redirects and
   * would drop the last one without a word, so such a page has no such rule
   * (docs/decisions/oauth.md#redirects-after-consent).
   */
  leavesSite?: boolean;
  /**
   * Content-Security-Policy in place of that of all pages, for a page of other people's words; such a page sends no
   * referrer.
   */
  policy?: string;
  /** True: searches may find the page, which says the same to everybody. */
  isIndexed?: boolean;
}

const PERMISSIONS = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'screen-wake-lock']
  .map((name) => `${name}=()`)
  .join(', ');

/** A whole document in the service's look. */
export function webPage(page: WebPage): string {
  const { displayName, baseUrl, title, body, scripts = [], styles = [], nav = [] } = page;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – ${displayName}</title>
<link rel="icon" href="data:,">
${['style.css' as const, ...styles].map((name) => styleElement(baseUrl, name))}${scripts.map((name) => scriptElement(baseUrl, name))}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="site">
<p><strong>${displayName}</strong> <span class="host">${new URL(baseUrl).host}</span></p>
${navigation(baseUrl, nav)}</header>
<main id="main" tabindex="-1">
${body}
</main>
</body>
</html>
`.text;
}

/**
 * Headers of a page that nobody may keep, frame or, unless it is said, index.
 * The referrer goes to our own pages only; `no-referrer` would make the `Origin` of their forms `null`.
 */
export function webPageHeaders({ leavesSite = false, policy, isIndexed = false }: WebPageOptions = {}): Readonly<
  Record<string, string>
> {
  return {
    'Content-Security-Policy': policy ?? (leavesSite ? PAGE_POLICY : `${PAGE_POLICY}; form-action 'self'`),
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    ...(isIndexed ? {} : { 'X-Robots-Tag': 'noindex, nofollow' }),
    'Referrer-Policy': policy === undefined ? 'same-origin' : 'no-referrer',
    'Permissions-Policy': PERMISSIONS,
    // Smart wallets open a window of their own and answer through it.
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
}

/** Sends a page with the headers of all pages. */
export function sendWebPage(response: Response, status: number, html: string, options?: WebPageOptions): void {
  const bytes = Buffer.from(html, 'utf8');
  for (const [name, value] of Object.entries(webPageHeaders(options))) response.setHeader(name, value);
  response.setHeader('Content-Length', bytes.length);
  response.vary('Accept');
  response.status(status).end(response.req.method === 'HEAD' ? undefined : bytes);
}

function styleElement(baseUrl: string, name: AssetName): SafeHtml {
  return markup`<link rel="stylesheet" href="${assetPath(baseUrl, name)}" integrity="${asset(name).integrity}">
`;
}

function scriptElement(baseUrl: string, name: AssetName): SafeHtml {
  return markup`<script type="module" src="${assetPath(baseUrl, name)}" integrity="${asset(name).integrity}"></script>
`;
}

function navigation(baseUrl: string, links: readonly NavLink[]): SafeHtml {
  if (links.length === 0) return markup``;
  return markup`<nav aria-label="Your account">
<ul>
${links.map((link) => navigationItem(baseUrl, link))}</ul>
</nav>
`;
}

function navigationItem(baseUrl: string, { text, path, isCurrent }: NavLink): SafeHtml {
  const current = isCurrent ? markup` aria-current="page"` : markup``;
  return markup`<li><a href="${publicPath(baseUrl, path)}"${current}>${text}</a></li>
`;
}
