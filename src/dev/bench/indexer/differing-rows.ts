/** How many rows are in one of both lists only, each told by its digest; an equal row may be there several times. */
export function differingRows(some: readonly string[], others: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const digest of some) counts.set(digest, (counts.get(digest) ?? 0) + 1);
  for (const digest of others) counts.set(digest, (counts.get(digest) ?? 0) - 1);
  return [...counts.values()].reduce((sum, count) => sum + Math.abs(count), 0);
}
