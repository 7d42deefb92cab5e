import type { PersonalTable } from '../../platform/database/personal-data.js';

/**
 * Deletes those rows of the account $1 that may go, and counts them.
 * @param of SQL condition for the account's rows.
 * @param deleted SQL condition for those of them that go.
 */
export function deleteOwn(table: string, of: string, deleted: string): string {
  return `WITH gone AS (DELETE FROM ${table} own WHERE ${of} AND (${deleted}) RETURNING 1)
          SELECT count(*)::int AS count FROM gone`;
}

/** Clears what is personal in rows of the account $1 that stay, and counts them. */
export function clearOwn(table: string, of: string, cleared: NonNullable<PersonalTable['cleared']>): string {
  return `WITH changed AS (UPDATE ${table} own SET ${cleared.set} WHERE ${of}
            AND (${cleared.where ?? 'true'}) RETURNING 1)
          SELECT count(*)::int AS count FROM changed`;
}

/** Counts the rows of the account $1. */
export function countOwn(table: string, of: string): string {
  return `SELECT count(*)::int AS count FROM ${table} own WHERE ${of}`;
}
