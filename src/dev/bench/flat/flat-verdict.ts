/** What one request costs the database. */
export interface Cost {
  statements: number;
  /** Buffers of Postgres that were accessed, whether they were in memory or had to be read. */
  buffers: number;
  /** Milliseconds of planning and execution together. */
  ms: number;
}

/** Milliseconds in the database below which a request counts as cheap, however much its cost has grown. */
export const CHEAP_MS = 3;
export const MOST_TIME = 2;
export const MOST_BUFFERS = 3;

/**
 * True when the cost of a request does not grow with the market: it is cheap, or both its time and its buffers stay
 * within their bounds.
 */
export function isFlat(small: Cost, large: Cost): boolean {
  if (large.ms <= CHEAP_MS) return true;
  return large.ms <= MOST_TIME * small.ms && large.buffers <= MOST_BUFFERS * small.buffers;
}

/** Refused to everybody here: what they write is found at a public https address, and a bench has none. */
export const OUT_OF_REACH: readonly string[] = ['setAgentEndpoint', 'deleteAgentEndpoint'];

/** What a caller was answered, and for which operation. */
interface Answered {
  status: number;
  request: { operation: string };
}

/** False for a fault of the service. Of what is out of reach, one of the address is the answer. */
export function isAnswered({ status, request }: Answered): boolean {
  return status < 500 || OUT_OF_REACH.includes(request.operation);
}

/**
 * Operations that were refused to every caller each time, so that what they do was never measured; but those out of
 * reach.
 */
export function unreached(answers: Iterable<Answered>): string[] {
  const all = new Set<string>();
  const reached = new Set<string>();
  for (const { status, request } of answers) {
    all.add(request.operation);
    if (status < 400) reached.add(request.operation);
  }
  return [...all].filter((operation) => !reached.has(operation) && !OUT_OF_REACH.includes(operation));
}
