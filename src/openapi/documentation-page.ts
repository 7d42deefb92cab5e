import { REFERENCE_CLIENT_ID, REFERENCE_REDIRECT_PATH } from '../modules/auth/oauth/reference-client.js';
import type { Environment } from '../platform/config/environment.js';
import { markup } from '../platform/http/html-page.js';
import { publicPath } from '../platform/web/public-path.js';

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

/** The page that gets the authorization code and hands it to the one that opened it. */
export function redirectPage({ baseUrl }: Environment): string {
  return markup`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Back to the API reference</title></head>
<body><script src="${publicPath(baseUrl, '/docs/oauth2-redirect.js')}"></script></body>
</html>
`.text;
}

/**
 * Starts Swagger UI, in the dark where the person's system is. Its validator badge would call another site, so it is off.
 * "Authorize" asks for `read` until more is ticked.
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
`;
}
