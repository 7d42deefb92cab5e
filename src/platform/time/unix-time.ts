/** A time of the chain, in unix seconds, as the interface writes it: UTC, to the millisecond. */
export function utcTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
