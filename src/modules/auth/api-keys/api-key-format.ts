import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Scope } from '../scope.js';

/** Which kind of deployment a key was made for; the other kind refuses it. */
export type KeyEnvironment = 'live' | 'test';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_DIGITS = 30;
const CHECKSUM_DIGITS = 6;
const KEY_PATTERN = /^mkt_(live|test)_[rbwo]_[0-9A-Za-z]{36}$/;
/** `mkt_live_r_` and 36 digits. */
const KEY_LENGTH = 47;
/** Bytes from here on are thrown away, so that every digit is equally likely. */
const UNBIASED = 256 - (256 % DIGITS.length);

/** The letter says what the key is for to people; the database decides. */
const SCOPE_LETTERS: Record<Scope, string> = { read: 'r', buyer: 'b', worker: 'w', 'agent-owner': 'o' };

/** A new secret key: 178 random bits, and a checksum that lets anyone tell a typo from a leak. */
export function mintApiKey(environment: KeyEnvironment, scope: Scope): string {
  const body = `mkt_${environment}_${SCOPE_LETTERS[scope]}_${randomDigits(SECRET_DIGITS)}`;
  return body + checksum(body);
}

/** The environment of a well-formed key with a right checksum; null for anything else. Costs no look-up. */
export function environmentOf(key: string): KeyEnvironment | null {
  if (key.length !== KEY_LENGTH) return null;
  const environment = KEY_PATTERN.exec(key)?.[1];
  if (environment !== 'live' && environment !== 'test') return null;
  const body = key.slice(0, -CHECKSUM_DIGITS);
  return key.slice(-CHECKSUM_DIGITS) === checksum(body) ? environment : null;
}

/** What may be shown of a key: its beginning without any secret digit, and its last four. */
export function visibleParts(key: string): { prefix: string; last4: string } {
  return { prefix: key.slice(0, key.lastIndexOf('_') + 1), last4: key.slice(-4) };
}

/** CRC-32 of the text as six base62 digits. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_DIGITS; i++) {
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
