/** A time of the chain, in unix seconds, as the interface writes it: UTC, to the millisecond. */
export function utcTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** A time of the chain, in unix seconds, as sentences write it: UTC, without the milliseconds that it does not have. */
export function utcInWords(seconds: number): string {
  return utcTime(seconds).replace('.000Z', 'Z');
}
