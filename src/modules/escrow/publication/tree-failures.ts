import { QueryFailedError } from 'typeorm';

/**
 * Classes of SQLSTATE that blame the data and not the database: data exceptions, constraint violations, errors of
 * triggers and routines, program limits, internal errors. Any other error (no connection, a deadlock, a lock that cannot
 * be had, a full disk, a schema of another release) would meet any tree.
 */
const DATA_CLASSES: ReadonlySet<string> = new Set(['21', '22', '23', '27', '38', '39', '44', '54', 'P0', 'XX']);
/** SQLSTATE of a statement that took too long. Waiting for a lock fails sooner, so the statement itself was slow. */
const TOO_SLOW = '57014';

/** True when an error while projecting trees is the fault of a tree, and not of the database or the connection to it. */
export function isOfTheTree(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (!(error instanceof QueryFailedError)) return true;
  const driverError: unknown = error.driverError;
  const code = driverError instanceof Error && 'code' in driverError ? driverError.code : null;
  return typeof code === 'string' && (code === TOO_SLOW || (code.length === 5 && DATA_CLASSES.has(code.slice(0, 2))));
}
