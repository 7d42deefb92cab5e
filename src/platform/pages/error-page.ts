import { markup, type SafeHtml } from '../http/html-markup.js';
import { webPage } from './page-shell.js';
import { publicPath } from './assets/public-path.js';

/** The content of an error's page, in our own words: nothing that was sent, and nothing of an unexpected error. */
interface ErrorPage {
  displayName: string;
  baseUrl: string;
  status: number;
  /** One or two sentences. */
  reason: string;
  /** What the person can do. */
  suggestion?: string | undefined;
  /** `X-Request-Id`, by which the operator finds it in the logs. */
  requestId: string;
  /** True: with a link to the start page. */
  home?: boolean;
}

const TITLES: Readonly<Record<number, string>> = {
  403: 'This is not allowed',
  404: 'Not found',
  409: 'This is no longer possible',
  429: 'Too many attempts',
  500: 'Something went wrong on our side',
  503: 'Not available at the moment',
};

/** The page of an error. */
export function errorPage({
  displayName,
  baseUrl,
  status,
  reason,
  suggestion,
  requestId,
  home = false,
}: ErrorPage): string {
  const title = TITLES[status] ?? 'This did not work';
  const body = markup`<h1>${title}</h1>
<div class="notice bad" role="alert">
<p>${reason}</p>
${suggestion === undefined ? markup`` : markup`<p>${suggestion}</p>\n`}</div>
${home ? markup`<p><a class="button" href="${publicPath(baseUrl, '/')}">Start page</a></p>\n` : markup``}${requestLine(requestId)}`;
  return webPage({ displayName, baseUrl, title, body });
}

function requestLine(requestId: string): SafeHtml {
  if (requestId === '') return markup``;
  return markup`<p class="small">Request ID, for support: <code>${requestId}</code></p>`;
}
