/**
 * The time of a position of the log, which is in microseconds (docs/decisions/events.md#sequence). It is rounded to the
 * second before, because that is what a request can name.
 */
export function timeOf(sequence: string, leadMs: number): Date {
  return new Date((Math.floor((Number(BigInt(sequence) / 1000n) + leadMs) / 1000) - 1) * 1000);
}

/** The position before all events of a time and later. It may lie a little too early, never too late. */
export function positionBefore(time: Date, leadMs: number): string {
  return String(BigInt(Math.floor(time.getTime() - leadMs)) * 1000n - 1n);
}
