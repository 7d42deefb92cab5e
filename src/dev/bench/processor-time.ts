import { readFileSync, readdirSync } from 'node:fs';
import { statFields } from '../processes/process-identity.js';

/** Kernel clock ticks per second in /proc, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** User and system CPU seconds that the process has used so far; null where /proc is missing or the process has ended. */
export function cpuSeconds(pid: number): number | null {
  const fields = statFields(pid);
  return fields === null ? null : (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** CPU seconds of the process and of all that it has started, those that have ended included. */
export function familySeconds(pid: number): number {
  // The kernel adds the time of a child that has ended to its parent's, in the two fields after the parent's own.
  const ended = (statFields(pid) ?? []).slice(13, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
  return familyOf(pid).reduce((sum, each) => sum + (cpuSeconds(each) ?? 0), ended);
}

/** The process and all processes that it has started, of those that run now. */
export function familyOf(pid: number): number[] {
  const parents = new Map(runningPids().map((each) => [each, Number(statFields(each)?.[1])]));
  return [...parents.keys()].filter((each) => each === pid || parents.get(each) === pid);
}

/** Id of the process that started this one. @throws Error when it has ended. */
export function parentOf(pid: number): number {
  const fields = statFields(pid);
  if (fields === null) throw new Error(`Process ${pid} has ended`);
  return Number(fields[1]);
}

/** Seconds of one processor so far. */
export interface ProcessorSeconds {
  busy: number;
  total: number;
}

/** Seconds of each processor of this machine so far, in the order of their numbers. */
export function processorSeconds(): ProcessorSeconds[] {
  const lines = readFileSync('/proc/stat', 'utf8').split('\n');
  return lines.filter((line) => /^cpu\d/.test(line)).map(secondsIn);
}

function secondsIn(line: string): ProcessorSeconds {
  // The first eight: user, nice, system, idle, waiting for a disk, interrupts twice, and what the host took for others.
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
  const total = ticks.reduce((sum, each) => sum + each, 0);
  return { busy: (total - (ticks[3] ?? 0) - (ticks[4] ?? 0)) / TICKS_PER_SECOND, total: total / TICKS_PER_SECOND };
}

function runningPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}
