/** Content security policies of all that the service sends; a browser holds each response to one of them. */

/** Of every response that is no page: a browser that shows it loads and runs nothing. */
export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Of server-rendered pages: programs and styles of this origin alone. A form's target is added by the page's shell. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Icons of wallets are data: URIs that the wallets announce.
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Of the pages of the API reference, whose program writes styles into the page. */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Of downloads: whatever the bytes are, a browser may save them but run nothing. */
export const DOWNLOAD_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";

/**
 * Of pages whose text comes from other people: no script, image, frame or form, and only this
 * service's style sheet. The page keeps its origin, because only this origin may load the style sheet.
 */
export const UNTRUSTED_POLICY =
  "sandbox allow-same-origin; default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
