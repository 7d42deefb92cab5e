import type { DataSource } from 'typeorm';
import { eventually } from './eventually.js';

/**
 * Writes all earlier commits to the log. The servers of specs commit without waiting for that, and VACUUM marks no page
 * with rows of a commit that the log does not have yet, which can be so for seconds.
 */
const FLUSH = `BEGIN; SET LOCAL synchronous_commit = on; SELECT pg_logical_emit_message(true, 'spec', ''); COMMIT`;
const UNMARKED = `SELECT 1 FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
  AND relallvisible < relpages LIMIT 1`;

/** All tables but those of the server itself, for which VACUUM takes ten times as long as for a spec's empty ones. */
const TABLES = `SELECT string_agg(quote_ident(relname), ', ') AS names FROM pg_class
  WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace`;

/**
 * Vacuums and analyses all tables, because triggers fill more of them than a spec names, until all their pages are marked
 * as visible to everybody. One VACUUM does not promise that: it also passes over what a snapshot of that moment may
 * still need. An index-only scan reads unmarked pages too, so that a spec which compares pages would depend on chance.
 */
export async function vacuumed(dataSource: DataSource): Promise<void> {
  await dataSource.query(FLUSH);
  const [tables] = await dataSource.query<{ names: string }[]>(TABLES);
  await eventually(async () => {
    await dataSource.query(`VACUUM (ANALYZE, INDEX_CLEANUP ON) ${tables?.names ?? ''}`);
    return (await dataSource.query<unknown[]>(UNMARKED)).length === 0;
  });
}
