import { randomBytes } from 'node:crypto';

/** What an identifier names; one prefix per kind of record. */
export type IdPrefix =
  | 'task'
  | 'node'
  | 'agent'
  | 'quote'
  | 'dlv'
  | 'act'
  | 'acct'
  | 'key'
  | 'rcpt'
  | 'req'
  | 'snap'
  | 'sess'
  | 'spend'
  | 'chal'
  | 'audit'
  | 'evt'
  | 'whe'
  | 'wha';

/** Crockford's base32 digits in ascending ASCII order, so that ids sort as their times do. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;
const MAX_TIME_MS = 2 ** 48 - 1;
const MAX_RANDOM = (1n << 80n) - 1n;
const GENERATED_PATTERN = /^[a-z]+_([0-7][0-9a-hjkmnp-tv-z]{25})(?:_[0-9]+(?:-[0-9]+)*)?$/;

let lastTimeMs = -1;
let lastRandom = 0n;

/**
 * A new identifier: the prefix and 26 base32 digits of 48 bits of time and 80 random bits (the layout of a ULID).
 * Ids of one prefix sort by `atMs` (integer milliseconds since 1970); those that this process makes one after the
 * other for the same millisecond are strictly increasing. Throws RangeError when `atMs` does not fit.
 */
export function newId(prefix: IdPrefix, atMs: number): string {
  checkTime(atMs);
  lastRandom = atMs === lastTimeMs ? lastRandom + 1n : BigInt(`0x${randomBytes(10).toString('hex')}`);
  if (lastRandom > MAX_RANDOM) throw new RangeError('No identifier is left in this millisecond');
  lastTimeMs = atMs;
  return `${prefix}_${base32(BigInt(atMs), TIME_DIGITS)}${base32(lastRandom, RANDOM_DIGITS)}`;
}

/**
 * The smallest identifier of a millisecond, for a search that begins at that time. It names no record, and making it
 * does not change the order of the ids of `newId`. Throws RangeError when `atMs` does not fit.
 */
export function firstIdAt(prefix: IdPrefix, atMs: number): string {
  checkTime(atMs);
  return `${prefix}_${base32(BigInt(atMs), TIME_DIGITS)}${base32(0n, RANDOM_DIGITS)}`;
}

/** When the identifier (for a node: its task) was made. Throws SyntaxError on an identifier `newId` did not make. */
export function idTime(id: string): Date {
  const digits = GENERATED_PATTERN.exec(id)?.[1];
  if (digits === undefined) throw new SyntaxError('Not an identifier that carries a time');
  let ms = 0;
  for (const digit of digits.slice(0, TIME_DIGITS)) ms = ms * 32 + DIGITS.indexOf(digit);
  return new Date(ms);
}

function checkTime(atMs: number): void {
  if (!Number.isInteger(atMs) || atMs < 0 || atMs > MAX_TIME_MS) {
    throw new RangeError('The time of an identifier is whole milliseconds within 48 bits');
  }
}

function base32(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = DIGITS.charAt(Number(rest & 31n)) + text;
    rest >>= 5n;
  }
  return text;
}
