/** The quantile at this share, by nearest rank; NaN without values. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = Math.ceil(share * sorted.length) - 1;
  return sorted[Math.min(sorted.length - 1, Math.max(0, rank))] ?? Number.NaN;
}

/** The middle value, or the mean of the two in the middle; NaN without values. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Share of the values that are smaller than `value`; equal ones count half. NaN without values. */
export function percentileOf(value: number, values: readonly number[]): number {
  let below = 0;
  for (const other of values) below += other < value ? 1 : other === value ? 0.5 : 0;
  return below / values.length;
}
