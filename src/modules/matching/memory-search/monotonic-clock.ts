import { hrtime } from 'node:process';

/** Milliseconds on a clock that never goes back and that all threads of the process share, unlike `performance.now()`. */
export function monotonicMs(): number {
  return Number(hrtime.bigint() / 1_000n) / 1_000;
}
