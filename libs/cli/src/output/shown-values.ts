import { timeText } from '#libs/prepared-action';
import type { components } from '#libs/sdk';

/** Such as `60.00 USDC`. */
export function money(value: components['schemas']['Money'] | undefined): string | undefined {
  return value === undefined ? undefined : `${value.amount} ${value.currency}`;
}

/** A time of the wire for people, such as `24 Nov 2026, 14:05 UTC`; what is no time stays as it is. */
export function time(iso: string | undefined): string | undefined {
  const ms = Date.parse(iso ?? '');
  return Number.isNaN(ms) ? iso : timeText(ms / 1000);
}
