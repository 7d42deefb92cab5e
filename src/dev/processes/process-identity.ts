import { readFileSync } from 'node:fs';

/** A process as written to a file: the id alone is not enough, because operating systems give ids out again. */
export interface ProcessIdentity {
  pid: number;
  /** Start time in clock ticks since boot (Linux), or null where it cannot be read. */
  startedAt: string | null;
}

/** Places in `statFields`. */
const STATE = 0;
const START_TICKS = 19;

/** The identity of a running process. */
export function identityOf(pid: number): ProcessIdentity {
  return { pid, startedAt: statFields(pid)?.[START_TICKS] ?? null };
}

/** True while that very process runs: same id and, where it can be known, the same start. */
export function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, under another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const fields = statFields(pid);
  // Z: it has ended and only waits for its parent to look.
  return fields?.[STATE] !== 'Z' && (startedAt === null || fields?.[START_TICKS] === startedAt);
}

/** Narrows what was read from a file. */
export function isProcessIdentity(value: unknown): value is ProcessIdentity {
  if (typeof value !== 'object' || value === null || !('pid' in value) || !('startedAt' in value)) return false;
  return Number.isInteger(value.pid) && (value.startedAt === null || typeof value.startedAt === 'string');
}

/** Fields of /proc/<pid>/stat from the third on. The second is the name, which may hold blanks and brackets. */
function statFields(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
