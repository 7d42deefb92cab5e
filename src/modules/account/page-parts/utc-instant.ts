import { markup, type SafeHtml } from '../../../platform/http/html-markup.js';

/** A moment in UTC to the minute: `20 Nov 2026, 19:30 UTC`. */
export function instant(date: Date): SafeHtml {
  return markup`<time datetime="${date.toISOString()}">${date.getUTCDate()} ${month(date)} ${date.getUTCFullYear()}, ${clock(date)} UTC</time>`;
}

/** As `instant`; `otherwise` when it has not happened. */
export function instantOr(date: Date | null, otherwise: string): SafeHtml {
  return date === null ? markup`${otherwise}` : instant(date);
}

function month(date: Date): string {
  return date.toLocaleString('en', { month: 'short', timeZone: 'UTC' });
}

function clock(date: Date): string {
  return date.toISOString().slice(11, 16);
}
