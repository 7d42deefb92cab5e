const SHORTEST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 200;

/**
 * Waits until `holds` is true. Fails after `timeoutMs`. The longer it has waited, the less often it looks: on a busy
 * machine each look takes time from what it waits for.
 */
export async function eventually(holds: () => Promise<boolean> | boolean, timeoutMs = 30_000): Promise<void> {
  const start = Date.now();
  while (!(await holds())) {
    const waitedMs = Date.now() - start;
    if (waitedMs > timeoutMs) throw new Error(`It did not come to hold within ${timeoutMs} ms: ${holds.toString()}`);
    const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, waitedMs / 8));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
