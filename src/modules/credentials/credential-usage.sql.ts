/** A table with the columns `id` and `last_used_at`. */
export type TableOfCredentials = 'api_keys' | 'oauth_grants';

/**
 * Writes the times $2 at which the credentials $1 were last used.
 * @param precisionMs a stored time is replaced by one that is at least this much later.
 */
export function noteLastUses(table: TableOfCredentials, precisionMs: number): string {
  // The condition keeps a later use that another process may have noted.
  return `
      UPDATE ${table} SET last_used_at = used.at
      FROM unnest($1::text[], $2::timestamptz[]) AS used(id, at)
      WHERE ${table}.id = used.id
        AND (${table}.last_used_at IS NULL OR ${table}.last_used_at <= used.at - interval '${precisionMs} ms')`;
}
