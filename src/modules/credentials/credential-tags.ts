import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Sealer } from '../../platform/secrets/sealer.js';

const RANDOM_BYTES = 24;
/** What 24 bytes are in base64url; 11 more make the 43 digits that tokens have. */
const RANDOM_DIGITS = 32;
const TAG_BYTES = 8;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Whether this service has made a secret can be told without looking it up: its last digits are a keyed hash of the rest,
 * which nobody can guess. That gives no right at all. It only keeps made-up secrets from costing a look-up when too many
 * come from one address (`AddressBudget`). A secret of before there were tags is not recognised.
 * @returns the tag under each secret of the ring, that of new credentials first.
 */
export function tagsOf(sealer: Sealer, text: string): Buffer[] {
  return sealer.hmacs('credential-tag', text);
}

/** A new token of 192 random bits and a tag of 64; 43 digits of base64url. */
export function mintTaggedToken(sealer: Sealer): string {
  const random = randomBytes(RANDOM_BYTES).toString('base64url');
  return random + (tokenTags(sealer, random)[0] ?? '');
}

/** True for a token that `mintTaggedToken` made with a key of this sealer. */
export function isTaggedToken(sealer: Sealer, text: string): boolean {
  return TOKEN.test(text) && isOneOf(text.slice(RANDOM_DIGITS), tokenTags(sealer, text.slice(0, RANDOM_DIGITS)));
}

/** In constant time, so that a tag cannot be found digit by digit. All are ASCII. */
export function isOneOf(text: string, tags: readonly string[]): boolean {
  return (
    tags.filter((tag) => tag.length === text.length && timingSafeEqual(Buffer.from(tag), Buffer.from(text))).length > 0
  );
}

function tokenTags(sealer: Sealer, random: string): string[] {
  return tagsOf(sealer, random).map((tag) => tag.subarray(0, TAG_BYTES).toString('base64url'));
}
