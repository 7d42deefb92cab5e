/** What one request costs the database. */
export interface Cost {
  statements: number;
  /** Pages of memory that were looked at, found there or not. */
  buffers: number;
  /** Of planning and running together. */
  ms: number;
}

/** What is cheap whatever its size. */
export const CHEAP_MS = 3;
export const MOST_TIME = 2;
export const MOST_BUFFERS = 3;

/** True when the market's size does not show in what a request costs. */
export function isFlat(small: Cost, large: Cost): boolean {
  if (large.ms <= CHEAP_MS) return true;
  return large.ms <= MOST_TIME * small.ms && large.buffers <= MOST_BUFFERS * small.buffers;
}
