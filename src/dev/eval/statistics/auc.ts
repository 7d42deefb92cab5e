/** One prediction and what came. */
export interface Scored {
  score: number;
  positive: boolean;
}

/**
 * Area under the ROC curve: how often a positive has the higher score than a negative, equal scores counting half. NaN
 * when one of the two kinds is missing.
 */
export function aucOf(items: readonly Scored[]): number {
  const { better, pairs } = orderedPairs(sortedByScore(items));
  return better / pairs;
}

export function sortedByScore<T extends Scored>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => a.score - b.score);
}

/**
 * Pairs of a positive and a negative, and how many of them (halves for equals) are in the right order.
 * @param sorted by score, the lowest first.
 * @param timesOf how often an item counts.
 */
export function orderedPairs<T extends Scored>(
  sorted: readonly T[],
  timesOf: (item: T) => number = () => 1,
): { better: number; pairs: number } {
  let [better, negativesBelow, positives] = [0, 0, 0];
  let [equalPositives, equalNegatives] = [0, 0];
  for (const [index, item] of sorted.entries()) {
    if (item.positive) equalPositives += timesOf(item);
    else equalNegatives += timesOf(item);
    if (sorted[index + 1]?.score === item.score) continue;
    better += equalPositives * (negativesBelow + equalNegatives / 2);
    negativesBelow += equalNegatives;
    positives += equalPositives;
    [equalPositives, equalNegatives] = [0, 0];
  }
  return { better, pairs: positives * negativesBelow };
}
