import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Sealer } from '../../../platform/secrets/sealer.js';
import { isOneOf, tagsOf } from '../credential-tags.js';
import type { Scope } from '../scope.js';

/** Kind of deployment that a key was made for; the other kind refuses the key. */
export type KeyEnvironment = 'live' | 'test';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 142 random bits. */
const RANDOM_DIGITS = 24;
const TAG_DIGITS = 6;
/** Bytes of a tag that are read: few enough for an exact number, and more than enough for the tag's digits. */
const TAG_BYTES = 6;
const CHECKSUM_DIGITS = 6;
const KEY_PATTERN = /^mkt_(live|test)_[rbwo]_[0-9A-Za-z]{36}$/;
/** `mkt_live_r_` and 36 digits. */
const KEY_LENGTH = 47;
/** Random bytes from this value on are discarded, so that every digit is equally likely. */
const UNBIASED = 256 - (256 % DIGITS.length);

/** The letter tells people the key's scope; the scope in the database decides. */
const SCOPE_LETTERS: Record<Scope, string> = { read: 'r', buyer: 'b', worker: 'w', 'agent-owner': 'o' };

/**
 * A new secret key: 142 random bits, a tag by which the service recognises its own keys (`isTaggedKey`), and a checksum
 * that lets anyone tell a typo from a leak.
 */
export function mintApiKey(environment: KeyEnvironment, scope: Scope, sealer: Sealer): string {
  const random = `mkt_${environment}_${SCOPE_LETTERS[scope]}_${randomDigits(RANDOM_DIGITS)}`;
  const body = random + (tagDigits(sealer, random)[0] ?? '');
  return body + base62(crc32(body), CHECKSUM_DIGITS);
}

/**
 * True for a well-formed key that `mintApiKey` made with a secret of this sealer. Needs no database and grants nothing.
 */
export function isTaggedKey(sealer: Sealer, key: string): boolean {
  if (environmentOf(key) === null) return false;
  const end = KEY_LENGTH - CHECKSUM_DIGITS;
  const tag = key.slice(end - TAG_DIGITS, end);
  return isOneOf(tag, tagDigits(sealer, key.slice(0, end - TAG_DIGITS)));
}

/** The environment of a well-formed key with a correct checksum; null for anything else. Needs no database. */
export function environmentOf(key: string): KeyEnvironment | null {
  if (key.length !== KEY_LENGTH) return null;
  const environment = KEY_PATTERN.exec(key)?.[1];
  if (environment !== 'live' && environment !== 'test') return null;
  const body = key.slice(0, -CHECKSUM_DIGITS);
  return key.slice(-CHECKSUM_DIGITS) === base62(crc32(body), CHECKSUM_DIGITS) ? environment : null;
}

/** The parts of a key that may be shown: the beginning, without secret digits, and the last four digits. */
export function visibleParts(key: string): { prefix: string; last4: string } {
  return { prefix: key.slice(0, key.lastIndexOf('_') + 1), last4: key.slice(-4) };
}

function tagDigits(sealer: Sealer, random: string): string[] {
  return tagsOf(sealer, random).map((tag) => base62(tag.readUIntBE(0, TAG_BYTES), TAG_DIGITS));
}

/** The last base62 digits of a number, the lowest last. */
function base62(number: number, count: number): string {
  let rest = number;
  let digits = '';
  for (let i = 0; i < count; i++) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}

function randomDigits(count: number): string {
  let digits = '';
  while (digits.length < count) {
    for (const byte of randomBytes(count)) {
      if (byte < UNBIASED && digits.length < count) digits += DIGITS.charAt(byte % DIGITS.length);
    }
  }
  return digits;
}
