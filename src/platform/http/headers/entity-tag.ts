import { hash } from 'node:crypto';
import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { Response } from 'express';

/** `Cache-Control` of an answer that its caller may keep, and must ask about before it is used again. */
export const REVALIDATED = 'private, no-cache';

/** Characters of the digest that a tag keeps: 132 of the 256 bits are enough to tell two answers apart. */
const TAG_LENGTH = 22;
/** One of our tags as a caller sends it back: strong or weakened by a proxy, with or without a content coding. */
const OWN_TAG = new RegExp(`^(?:W/)?("([\\w-]{${TAG_LENGTH}})(?:\\.(?:br|gzip|deflate))?")$`);

/**
 * Gives an answer its `ETag`, and answers 304 when the caller has this very answer already.
 *
 * The tag is strong and made of the bytes alone, so it needs no record of what changed, and whoever sees something else
 * has another tag. A compressed answer is another representation: its tag says so (`nameCoding`).
 * @returns true when the 304 was sent; the caller must then write nothing.
 */
export function answerNotModified(response: Response, bytes: Uint8Array): boolean {
  const digest = hash('sha256', bytes, 'base64url').slice(0, TAG_LENGTH);
  const held = heldTag(response.req.headers['if-none-match'], digest);
  response.setHeader('ETag', held ?? `"${digest}"`);
  if (held === null) return false;
  // What is compressed is decided by the body, which this answer has not, but caches must be told alike (RFC 9110, 15.4.5).
  response.vary('Accept-Encoding');
  response.statusCode = 304;
  response.end();
  return true;
}

/** Adds the content coding to the tag of an answer that is about to be sent with one (RFC 9110, 8.8.3.3). */
export function nameCoding(response: ServerResponse): void {
  const coding = response.getHeader('Content-Encoding');
  if (coding === undefined) return;
  const tag: OutgoingHttpHeader | undefined = response.getHeader('ETag');
  if (typeof tag === 'string' && OWN_TAG.test(tag))
    response.setHeader('ETag', `${tag.slice(0, -1)}.${String(coding)}"`);
}

/**
 * The tag by which `If-None-Match` names the answer, as it was sent; null when it does not. Compared as weak ones are
 * (RFC 9110, 13.1.2), because a proxy that compresses weakens tags. Express's own comparison says no to a request with
 * `Cache-Control: no-cache`, which is for caches on the way, and which `fetch` adds by itself.
 */
function heldTag(condition: string | undefined, digest: string): string | null {
  if (condition === undefined) return null;
  if (condition.trim() === '*') return `"${digest}"`;
  for (const one of condition.split(',')) {
    const [, tag = '', ofAnswer] = OWN_TAG.exec(one.trim()) ?? [];
    if (ofAnswer === digest) return tag;
  }
  return null;
}
