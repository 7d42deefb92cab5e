import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Sealer } from '../../platform/secrets/sealer.js';

const RANDOM_BYTES = 24;
/** Length of 24 bytes in base64url; the tag adds 11 digits to the 43 of a token. */
const RANDOM_DIGITS = 32;
const TAG_BYTES = 8;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Tags of a secret: keyed hashes of its other digits, which nobody can guess. The last digits of a secret are its tag,
 * so the service recognises its own secrets without the database. A tag grants nothing. It only avoids look-ups of
 * invented secrets when too many come from one address (`AddressBudget`). Secrets older than the tags are not
 * recognised.
 * @returns the tag under each secret of the key ring; the first is the one for new credentials.
 */
export function tagsOf(sealer: Sealer, text: string): Buffer[] {
  return sealer.hmacs('credential-tag', text);
}

/** A new token of 192 random bits and a tag of 64; 43 digits of base64url. */
export function mintTaggedToken(sealer: Sealer): string {
  const random = randomBytes(RANDOM_BYTES).toString('base64url');
  return random + (tokenTags(sealer, random)[0] ?? '');
}

/** True for a token that `mintTaggedToken` made with a secret of this sealer. */
export function isTaggedToken(sealer: Sealer, text: string): boolean {
  return TOKEN.test(text) && isOneOf(text.slice(RANDOM_DIGITS), tokenTags(sealer, text.slice(0, RANDOM_DIGITS)));
}

/**
 * True when `text` is one of the tags. Compares in constant time, so that a tag cannot be guessed digit by digit. All
 * are ASCII.
 */
export function isOneOf(text: string, tags: readonly string[]): boolean {
  return (
    tags.filter((tag) => tag.length === text.length && timingSafeEqual(Buffer.from(tag), Buffer.from(text))).length > 0
  );
}

function tokenTags(sealer: Sealer, random: string): string[] {
  return tagsOf(sealer, random).map((tag) => tag.subarray(0, TAG_BYTES).toString('base64url'));
}
