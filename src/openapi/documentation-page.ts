import { REFERENCE_CLIENT_ID, REFERENCE_REDIRECT_PATH } from '../modules/oauth/protocol/reference-client.js';
import type { Environment } from '../platform/config/environment.js';
import { markup } from '../platform/http/html-markup.js';
import { publicPath } from '../platform/pages/assets/public-path.js';

/** The page at `/docs`. Its script is a file of its own, so that the page's policy needs no inline script. */
export function documentationPage({ displayName, baseUrl }: Environment): string {
  const path = (name: string) => publicPath(baseUrl, name);
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${displayName} API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${path('/docs/swagger-ui.css')}">
</head>
<body>
<div id="reader"></div>
<noscript>This page needs JavaScript. The document itself is at <a href="${path('/openapi.json')}">openapi.json</a>.</noscript>
<script src="${path('/docs/swagger-ui-bundle.js')}"></script>
<script src="${path('/docs/page.js')}"></script>
</body>
</html>
`.text;
}

/** The page that gets the authorization code and hands it to the one that opened its window. */
export function redirectPage({ baseUrl }: Environment): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Back to the API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<p>Close this window and go back to the API reference. If it is not authorized there, press Authorize again.</p>
<script src="${publicPath(baseUrl, '/docs/redirect.js')}"></script>
</body>
</html>
`.text;
}

/**
 * Hands the answer over by a channel of this origin. The pages of sign-in and consent cut what joins a window to its
 * opener, as they should, so Swagger UI's own page would find nobody to give it to.
 */
export function redirectScript(): string {
  return `const channel = new BroadcastChannel('${CHANNEL}');
const answer = location.search.slice(1);
channel.addEventListener('message', ({ data }) => {
  if (data.taken === answer) close();
});
channel.postMessage({ answer });
history.replaceState(null, '', location.pathname);
`;
}

/** Name of the channel between the two pages. */
const CHANNEL = 'api-reference';

/**
 * Starts Swagger UI, in the dark where the person's system is. Its validator badge would call another site, so it is off.
 * "Authorize" asks for `read` until more is ticked; an answer is for the page that asked with its `state`.
 */
export function pageScript({ displayName, baseUrl }: Environment): string {
  const options = {
    url: publicPath(baseUrl, '/openapi.json'),
    dom_id: '#reader',
    deepLinking: true,
    validatorUrl: null,
    persistAuthorization: false,
    oauth2RedirectUrl: `${baseUrl}${REFERENCE_REDIRECT_PATH}`,
  };
  const oauth = {
    clientId: REFERENCE_CLIENT_ID,
    appName: `${displayName} API reference`,
    scopes: ['read'],
    usePkceWithAuthorizationCodeGrant: true,
  };
  return `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);
window.ui = SwaggerUIBundle(${JSON.stringify(options)});
window.ui.initOAuth(${JSON.stringify(oauth)});
const channel = new BroadcastChannel('${CHANNEL}');
channel.addEventListener('message', ({ data }) => {
  const asked = window.swaggerUIRedirectOauth2;
  const answer = new URLSearchParams(data.answer);
  if (!asked?.state || answer.get('state') !== asked.state) return;
  const { auth, redirectUrl } = asked;
  const code = answer.get('code');
  delete asked.state;
  if (code) asked.callback({ auth: Object.assign(auth, { code }), redirectUrl });
  else {
    const message = answer.get('error_description') ?? answer.get('error') ?? 'There is no code in the answer.';
    asked.errCb({ authId: auth.name, source: 'auth', level: 'error', message });
  }
  channel.postMessage({ taken: data.answer });
});
`;
}
