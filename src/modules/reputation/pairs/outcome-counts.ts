/** Number of settlements by outcome; an outcome of which there are none is left out, so that equal counts are written alike. */
export type OutcomeCounts = Readonly<Record<string, number>>;

/** Adds counts, or with the sign -1 subtracts them. A difference may be negative. */
export function plusOutcomes(counts: OutcomeCounts, others: OutcomeCounts, sign: 1 | -1 = 1): OutcomeCounts {
  const sums = { ...counts };
  for (const [outcome, count] of Object.entries(others)) {
    const sum = (sums[outcome] ?? 0) + sign * count;
    if (sum === 0) delete sums[outcome];
    else sums[outcome] = sum;
  }
  return sums;
}
