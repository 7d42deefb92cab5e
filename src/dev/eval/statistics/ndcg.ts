/** How many places of a ranking count. */
const CUTOFF = 10;

/**
 * Normalised discounted cumulative gain of the first ten places: 1 when the wanted items come first, 0 when none of
 * them is among the ten. Every wanted item has the gain 1.
 */
export function ndcgOf(ranking: readonly number[], wanted: readonly number[]): number {
  const sought = new Set(wanted);
  const gain = ranking.slice(0, CUTOFF).reduce((sum, item, place) => sum + (sought.has(item) ? discount(place) : 0), 0);
  const ideal = Array.from({ length: Math.min(CUTOFF, sought.size) }, (_, place) => discount(place));
  return ideal.length === 0 ? 0 : gain / ideal.reduce((sum, part) => sum + part, 0);
}

/** @param place from 0. */
function discount(place: number): number {
  return 1 / Math.log2(place + 2);
}
