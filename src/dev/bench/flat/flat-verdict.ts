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

/** Operations that nobody has reached: every caller was refused each time, so what they do is not measured. */
export function unreached(answers: Iterable<{ status: number; request: { operation: string } }>): string[] {
  const all = new Set<string>();
  const reached = new Set<string>();
  for (const { status, request } of answers) {
    all.add(request.operation);
    if (status < 400) reached.add(request.operation);
  }
  return [...all].filter((operation) => !reached.has(operation));
}
