/** The page at `/docs`. Its script is a file of its own, so that the page's policy needs no inline script. */
export function documentationPage(title: string): string {
  const name = title.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${name}: the interface</title>`,
    '<link rel="stylesheet" href="/docs/swagger-ui.css">',
    '</head>',
    '<body>',
    '<div id="reader"></div>',
    '<noscript>This page needs JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>',
    '<script src="/docs/swagger-ui-bundle.js"></script>',
    '<script src="/docs/page.js"></script>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** Starts Swagger UI. Its validator badge would call another site, so it is off. */
export const PAGE_SCRIPT = [
  'window.ui = SwaggerUIBundle({',
  "  url: '/openapi.json',",
  "  dom_id: '#reader',",
  '  deepLinking: true,',
  '  validatorUrl: null,',
  '  persistAuthorization: false,',
  '});',
  '',
].join('\n');
