import { readFileSync } from 'node:fs';

/** Identifies a process across runs. The id alone is not enough, because operating systems reuse ids. */
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

/** True while this process runs: a process with its id and, where that can be read, its start time. */
export function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, under another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const fields = statFields(pid);
  // Z: a zombie, which has ended but was not yet collected by its parent.
  return fields?.[STATE] !== 'Z' && (startedAt === null || fields?.[START_TICKS] === startedAt);
}

/** True when a value read from a file is a ProcessIdentity. */
export function isProcessIdentity(value: unknown): value is ProcessIdentity {
  if (typeof value !== 'object' || value === null || !('pid' in value) || !('startedAt' in value)) return false;
  return Number.isInteger(value.pid) && (value.startedAt === null || typeof value.startedAt === 'string');
}

/**
 * Fields of /proc/<pid>/stat from the third on, null where it cannot be read. The second is the name, which may hold
 * blanks and brackets.
 */
export function statFields(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
