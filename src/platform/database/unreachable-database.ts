/**
 * Codes of the operating system and of Postgres that mean that no connection was made, each with its reason in words.
 */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its address',
  ENOTFOUND: 'its host has no address',
  EAI_AGAIN: 'its host has no address at the moment',
  ENOENT: 'its socket does not exist',
  ECONNRESET: 'it cut the connection',
  ETIMEDOUT: 'its host does not answer',
  EHOSTUNREACH: 'there is no way to its host',
  ENETUNREACH: 'there is no way to its network',
  '28000': 'it refuses the user',
  '28P01': 'it refuses the user or the password',
  '3D000': 'it has no database of that name',
  '53300': 'it has no connection left',
  '57P03': 'it is starting or stopping',
};

/**
 * The sentence for a connection to Postgres that could not be made, or null for any other fault. It names the variable
 * and the kind of fault, and nothing of the variable's value, which holds a password.
 */
export function unreachableDatabase(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (Object.hasOwn(REASONS, code))
    return `The database at DATABASE_URL cannot be reached (${code}: ${REASONS[code]}).`;
  // Errors of the driver itself have no code.
  if (/timeout|Connection terminated/i.test(error.message)) {
    return `The database at DATABASE_URL cannot be reached (${error.message}).`;
  }
  return null;
}
