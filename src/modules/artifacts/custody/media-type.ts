/** The type of bytes without a stated type, or that no browser may interpret. */
export const UNKNOWN_MEDIA_TYPE = 'application/octet-stream';

/** `type/subtype` of RFC 6838 §4.2; parameters are not kept. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,62}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,62}$/;

/** Types that no browser runs, whatever the bytes are. */
const INERT: ReadonlySet<string> = new Set([
  'application/gzip',
  'application/json',
  'application/zip',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/csv',
  'text/markdown',
  'text/plain',
]);

/** The media type that a Content-Type header names, lower case and without parameters; the unknown one for all else. */
export function declaredMediaType(contentType: string | undefined): string {
  const name = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return MEDIA_TYPE.test(name) ? name : UNKNOWN_MEDIA_TYPE;
}

/** The media type under which bytes declared as `declared` are served: never one that a browser would run. */
export function servedMediaType(declared: string): string {
  return INERT.has(declared) ? declared : UNKNOWN_MEDIA_TYPE;
}
