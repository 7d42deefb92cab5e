/**
 * The longest time in milliseconds that this process's event loop did nothing else while `work` ran: it is asked for a
 * turn again and again, and the longest wait for one counts. Never more than the time that the process itself was
 * computing: while others have the processor it waits too, and nobody's work is to blame.
 */
export async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let last = performance.now();
  const before = process.cpuUsage();
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    await work();
    // What `work` did last is still on the way to the next turn.
    await new Promise(setImmediate);
  } finally {
    isOver = true;
  }
  return Math.min(longest, computedMs(before));
}

/** Milliseconds of the quickest of `runs` runs of `work`. */
export function leastMs(runs: number, work: () => void): number {
  const times = Array.from({ length: runs }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}

function computedMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
