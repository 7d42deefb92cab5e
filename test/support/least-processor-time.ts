/**
 * The least milliseconds of processor time that `run` took in three runs. What else runs on the machine does not count,
 * so that the times of two sizes can be divided by each other anywhere.
 */
export function leastProcessorTime(run: () => void): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}
