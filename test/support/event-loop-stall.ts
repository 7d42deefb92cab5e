/**
 * The longest time in milliseconds for which `work` blocked this process's event loop. The loop is asked for a turn
 * again and again, and the longest wait counts, but at most the CPU time of the process itself: on a busy machine it
 * also waits for the processor, for which `work` is not to blame.
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
    // The last part of `work` still has to pass before the next turn.
    await new Promise(setImmediate);
  } finally {
    isOver = true;
  }
  return Math.min(longest, computedMs(before));
}

/** Milliseconds of the fastest of `runs` runs of `work`. */
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
