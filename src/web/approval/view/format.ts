import { timeText, usdcText } from '#libs/prepared-action';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A sentence of more characters is set in smaller letters, so that the button stays on the first screen. */
export const LONG_SENTENCE = 110;

/** "+250.00 USDC" or "−250.00 USDC", of base units with a sign. */
export function signedUsdc(units: bigint): string {
  return units < 0n ? `−${usdcText(-units)}` : `+${usdcText(units)}`;
}

/**
 * "0.0000105 ETH": a fee, given in the currency's smallest units, to three significant digits; from 1 on, to three
 * decimals.
 */
export function fee(units: bigint, { symbol, decimals }: { symbol: string; decimals: number }): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, -decimals);
  const part = digits.slice(-decimals);
  const firstDigit = whole === '0' ? part.search(/[1-9]/) : 0;
  const shown = part.slice(0, Math.max(firstDigit, 0) + 3).replace(/0+$/, '');
  return `${whole}${shown === '' ? '' : `.${shown}`} ${symbol}`;
}

/** "0xAb12…9F3e". Only ever beside the whole address, or where the wallet shows it. */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/** "0xAb12", "34Cd", …: a text of hexadecimal digits to be compared by eye. */
export function groupsOfFour(text: string): string[] {
  return text.match(/^0x[0-9a-fA-F]{1,4}|[\s\S]{1,4}/g) ?? [];
}

/** "11:42" or "1:02:09" until then; "0:00" when it is over. */
export function countdown(leftMs: number): string {
  const seconds = Math.max(0, Math.floor(leftMs / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/**
 * What a screen reader says of the time that is left: one text from five minutes on, another from one minute on. Empty
 * before, and when it is over.
 */
export function timeWarning(leftMs: number): string {
  if (leftMs <= 0) return '';
  if (leftMs <= MINUTE_MS) return 'One minute is left to sign.';
  return leftMs <= 5 * MINUTE_MS ? 'Five minutes are left to sign.' : '';
}

/** "24 Nov 2026, 14:05 UTC". */
export function moment(ms: number): string {
  return Number.isFinite(ms) ? timeText(ms / 1000) : '?';
}

/**
 * Whose clock is off, and by how much. In a demo it is the market's, which moves on request; anywhere else the computer's.
 * @param skewMs how far the computer is ahead of the service, milliseconds; negative: behind.
 */
export function clockWords(skewMs: number, isDemo: boolean): string {
  const length = lengthWords(Math.abs(skewMs));
  if (isDemo) return `The market’s clock is ${length} ${skewMs < 0 ? 'ahead' : 'behind'} (demo)`;
  return `Your computer’s clock is ${length} ${skewMs < 0 ? 'slow' : 'fast'}`;
}

/** "5 min", "24 h" or "12 days", whichever has two digits. */
function lengthWords(ms: number): string {
  if (ms < 1.5 * HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  return ms < 72 * HOUR_MS ? `${Math.round(ms / HOUR_MS)} h` : `${Math.round(ms / (24 * HOUR_MS))} days`;
}
