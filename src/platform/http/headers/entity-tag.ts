import { createHash } from 'node:crypto';
import type { Response } from 'express';

/** `Cache-Control` of an answer that its caller may keep, and must ask about before it is used again. */
export const REVALIDATED = 'private, no-cache';

/** Bytes of the digest that a tag keeps: 128 of the 256 bits are enough to tell two answers apart. */
const TAG_BYTES = 16;

/**
 * Gives an answer its `ETag`, and answers 304 when the caller has this very answer already.
 * The tag is weak: the same answer has the same tag, whether it travels compressed or not (RFC 9110, 8.8.1).
 * @returns true when the 304 was sent; the caller must then write nothing.
 */
export function answerNotModified(response: Response, bytes: Uint8Array): boolean {
  const digest = createHash('sha256').update(bytes).digest().subarray(0, TAG_BYTES);
  const tag = `W/"${digest.toString('base64url')}"`;
  response.setHeader('ETag', tag);
  if (!names(response.req.headers['if-none-match'], tag)) return false;
  response.statusCode = 304;
  response.end();
  return true;
}

/**
 * Whether `If-None-Match` names the tag, compared as weak ones are (RFC 9110, 13.1.2). Express's own comparison says no
 * to a request with `Cache-Control: no-cache`, which is for caches on the way, and which `fetch` adds by itself.
 */
function names(condition: string | undefined, tag: string): boolean {
  if (condition === undefined) return false;
  if (condition.trim() === '*') return true;
  return condition.split(',').some((one) => one.trim().replace(/^(?!W\/)/, 'W/') === tag);
}
