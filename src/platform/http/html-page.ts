import type { Request, Response } from 'express';

/** Text that is already HTML. Only `markup` makes it, so whatever did not pass through `markup` is escaped. */
export class SafeHtml {
  constructor(readonly text: string) {}
}

type Fragment = string | number | SafeHtml | readonly SafeHtml[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** No script, no style, no image, no frame, no form, no request of any kind. */
const PAGE_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** HTML of a template; every value in it is escaped for element content and quoted attributes unless it is SafeHtml. */
export function markup(strings: TemplateStringsArray, ...values: readonly Fragment[]): SafeHtml {
  return new SafeHtml(String.raw({ raw: strings }, ...values.map(textOf)));
}

/** A whole document without scripts, styles or links to anything. */
export function htmlDocument(title: string, body: SafeHtml): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`.text;
}

/** Answers 200 with the document, or with `json` to a caller that prefers application/json. */
export function sendPage(request: Request, response: Response, page: { document: string; json: object }): void {
  const asJson = request.accepts(['html', 'json']) === 'json';
  const body = Buffer.from(asJson ? JSON.stringify(page.json) : page.document, 'utf8');
  response.setHeader('Content-Security-Policy', PAGE_POLICY);
  response.setHeader('Content-Type', asJson ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8');
  response.setHeader('Content-Length', body.length);
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('X-Robots-Tag', 'noindex, nofollow');
  response.vary('Accept');
  response.status(200).end(request.method === 'HEAD' ? undefined : body);
}

function textOf(value: Fragment): string {
  if (value instanceof SafeHtml) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
