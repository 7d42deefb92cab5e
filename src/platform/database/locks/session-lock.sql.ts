/** Takes the session lock of these keys, if nobody has it. */
export function tryLock(keys: readonly [number, number]): string {
  return `SELECT pg_try_advisory_lock(${keys.join(', ')}) AS held`;
}

/** Answers while the connection holds: then the session has its lock still. */
export const STILL_THERE = 'SELECT true AS held';

/** Takes the session lock $1, if nobody has it. */
export const TRY_LOCK = 'SELECT pg_try_advisory_lock($1) AS taken';

/** Gives the session lock $1 back. */
export const UNLOCK = 'SELECT pg_advisory_unlock($1)';
