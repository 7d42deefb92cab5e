/** One prediction and the outcome. */
export interface Scored {
  score: number;
  positive: boolean;
}

/**
 * Area under the ROC curve: the share of pairs in which the positive has a higher score than the negative; equal scores
 * count half. NaN when there are no positives or no negatives.
 */
export function aucOf(items: readonly Scored[]): number {
  const { better, pairs } = orderedPairs(sortedByScore(items));
  return better / pairs;
}

export function sortedByScore<T extends Scored>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => a.score - b.score);
}

/**
 * Counts the pairs of a positive and a negative, and those in the right order (equal scores count half).
 * @param sorted by score, the lowest first.
 * @param timesOf how many times an item counts.
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
