import { readFileSync } from 'node:fs';

/** Milliseconds between two looks at a process. */
export const LOOK_MS = 250;
const KIB = 1024;
const MIB = KIB * KIB;

/** Resident memory of one process, in MiB, as the kernel counts it. */
export function residentMib(pid: number): number {
  return residentIn(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

/**
 * @param status text of the process's `/proc/PID/status`.
 * @throws Error when the text has no memory line, because the process has ended.
 */
export function residentIn(status: string): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kib === undefined) throw new Error('The process has ended');
  return (Number(kib) * KIB) / MIB;
}

/** Runs `work`. @returns its result, and the highest memory of the process meanwhile, in MiB. */
export async function peakDuring<T>(pid: number, work: () => Promise<T>): Promise<{ peak: number; result: T }> {
  let peak = residentMib(pid);
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMib(pid));
  }, LOOK_MS);
  try {
    const result = await work();
    return { peak: Math.max(peak, residentMib(pid)), result };
  } finally {
    clearInterval(timer);
  }
}
