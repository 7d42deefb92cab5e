import { formatUsdc, markedLine, markUnseen, stripControls } from '#libs/notation';

/** Longest text of another person that is shown. */
const MAX_LENGTH = 80;

/**
 * Other people's text in quotation marks: one line of at most 80 characters, invisible ones shown as their code points.
 */
export function quoted(text: string): string {
  return inQuotes(markedLine(readable(text)), stripControls);
}

/** A value that a possibly hostile action holds where another was expected, as one quoted line. */
export function foundText(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  return typeof value === 'object'
    ? 'a structure'
    : inQuotes(markUnseen(readable(`${value as string | number | boolean}`)), String);
}

/** What can be cleaned in little time: a very long text is cut before it is cleaned. */
function readable(text: string): string {
  return text.slice(0, 40 * MAX_LENGTH).replace(/["“”„«»]+/gu, "'");
}

/** @param cleaned what becomes of a text that was cut in the middle of characters that belong together. */
function inQuotes(plain: string, cleaned: (text: string) => string): string {
  const characters = Array.from(plain);
  const isLong = characters.length > MAX_LENGTH;
  return `“${isLong ? `${cleaned(characters.slice(0, MAX_LENGTH - 1).join(''))}…` : characters.join('')}”`;
}

/** Base units for people: "1,250.00 USDC". */
export function usdcText(units: bigint): string {
  const [whole = '', decimals = ''] = formatUsdc(units).split('.');
  return `${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}.${decimals} USDC`;
}

/** A time for people: "24 Nov 2026, 14:05 UTC". */
export function timeText(seconds: number): string {
  const ms = seconds * 1000;
  if (!Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return `second ${seconds}`;
  const [, day = '', month = '', year = '', clock = ''] =
    /, (\d+) (\w+) (\d+) (\d\d:\d\d)/.exec(new Date(ms).toUTCString()) ?? [];
  return `${Number(day)} ${month} ${year}, ${clock} UTC`;
}

/** A length of time for people, rounded down to two units: "3 days", "4 days 23 hours". */
export function durationText(seconds: number): string {
  const at = UNITS.findIndex(([unit]) => seconds >= unit);
  let left = seconds;
  const parts = UNITS.slice(at, at + 2).map(([size, name]) => {
    const count = Math.floor(left / size);
    left %= size;
    return count === 0 ? '' : `${count} ${name}${count === 1 ? '' : 's'}`;
  });
  return parts.join(' ').trim() || '0 seconds';
}

const UNITS: readonly (readonly [number, string])[] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];
