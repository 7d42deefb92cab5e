import { readFileSync } from 'node:fs';

const LOOK_MS = 250;
const KIB = 1024;
const MIB = KIB * KIB;

/** What one process holds in memory, in MiB, by the kernel's own count. */
export function residentMib(pid: number): number {
  return residentIn(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

/** @param status of a process, as /proc shows it. @throws Error when it says nothing of memory: the process has ended. */
export function residentIn(status: string): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kib === undefined) throw new Error('The process has ended');
  return (Number(kib) * KIB) / MIB;
}

/** The most that a process holds while `work` runs. */
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
