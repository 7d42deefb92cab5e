/**
 * A signal that is aborted after so many milliseconds, also where `AbortSignal.any` alone depends on it: Node 20 forgets
 * such a timeout when garbage is collected. A listener keeps it.
 */
export function timeLimit(ms: number): AbortSignal {
  const limit = AbortSignal.timeout(ms);
  limit.addEventListener('abort', () => undefined);
  return limit;
}
