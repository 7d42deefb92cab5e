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
/** Values of half of the random digits, which a number holds exactly. */
const HALF = 2 ** 40;
/** The two digits of each number of ten bits. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => DIGITS.charAt(bits >> 5) + DIGITS.charAt(bits & 31));
const GENERATED_PATTERN = /^[a-z]+_([0-7][0-9a-hjkmnp-tv-z]{25})(?:_[0-9]+(?:-[0-9]+)*)?$/;

let lastTimeMs = -1;
let lastTime = '';
/** The random bits of the last identifier in two halves. */
let lastHigh = 0;
let lastLow = 0;
/** The digits of `lastHigh`, which seldom changes. */
let lastHighDigits = '';

/**
 * A new identifier: the prefix and 26 base32 digits of 48 bits of time and 80 random bits (the layout of a ULID).
 * Ids of one prefix sort by `atMs` (integer milliseconds since 1970); those that this process makes one after the
 * other for the same millisecond are strictly increasing. Throws RangeError when `atMs` does not fit.
 */
export function newId(prefix: IdPrefix, atMs: number): string {
  if (atMs === lastTimeMs) countOn();
  else begin(atMs);
  return `${prefix}_${lastTime}${lastHighDigits}${digitsOfHalf(lastLow)}`;
}

function begin(atMs: number): void {
  checkTime(atMs);
  const bytes = randomBytes(10);
  [lastHigh, lastLow] = [bytes.readUIntBE(0, 5), bytes.readUIntBE(5, 5)];
  lastTime = base32(atMs, TIME_DIGITS);
  lastHighDigits = digitsOfHalf(lastHigh);
  lastTimeMs = atMs;
}

function countOn(): void {
  if (lastLow + 1 < HALF) lastLow += 1;
  else if (lastHigh + 1 < HALF) {
    [lastHigh, lastLow] = [lastHigh + 1, 0];
    lastHighDigits = digitsOfHalf(lastHigh);
  } else throw new RangeError('No identifier is left in this millisecond');
}

/** Eight digits of 40 bits. Two numbers of 20 bits are divided by shifting; one of 40 could not be. */
function digitsOfHalf(half: number): string {
  const upper = Math.floor(half / 2 ** 20);
  const lower = half % 2 ** 20;
  return `${PAIRS[upper >> 10]}${PAIRS[upper & 1023]}${PAIRS[lower >> 10]}${PAIRS[lower & 1023]}`;
}

/**
 * The smallest identifier of a millisecond, for a search that begins at that time. It names no record, and making it
 * does not change the order of the ids of `newId`. Throws RangeError when `atMs` does not fit.
 */
export function firstIdAt(prefix: IdPrefix, atMs: number): string {
  checkTime(atMs);
  return `${prefix}_${base32(atMs, TIME_DIGITS)}${base32(0, RANDOM_DIGITS)}`;
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

/** @param value below 2^53. */
function base32(value: number, length: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = DIGITS.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
