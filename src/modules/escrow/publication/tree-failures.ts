import { QueryFailedError } from 'typeorm';

/**
 * Classes of SQLSTATE that say something of the data and not of the database: data exception, constraint violation, raised
 * by a trigger, a program's limit, a routine's error, an internal error. Whatever else goes wrong (no connection, a
 * deadlock, a lock that is not to be had, a full disk, a schema of another release) would go wrong for any tree.
 */
const DATA_CLASSES: ReadonlySet<string> = new Set(['21', '22', '23', '27', '38', '39', '44', '54', 'P0', 'XX']);
/** A statement that took too long. Locks are waited for less long, so it is the statement itself. */
const TOO_SLOW = '57014';

/** True when an error while projecting trees is one of a tree, and not of the database or of the connection to it. */
export function isOfTheTree(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (!(error instanceof QueryFailedError)) return true;
  const driverError: unknown = error.driverError;
  const code = driverError instanceof Error && 'code' in driverError ? driverError.code : null;
  return typeof code === 'string' && (code === TOO_SLOW || (code.length === 5 && DATA_CLASSES.has(code.slice(0, 2))));
}
