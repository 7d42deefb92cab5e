import { Client } from 'pg';
import { localMarket } from '../market.js';

/**
 * For each table, the number of rows that contain one of these ids, and a hash of their contents. Other spec files
 * write to the same database meanwhile, so only rows about these ids count. Rows that merely record use are counted but
 * not hashed (the time a key was last used) or left out (limits); so is what is copied from other tables a moment
 * later.
 */
export async function rowsAbout(...ids: readonly string[]): Promise<Record<string, string>> {
  const client = new Client({ connectionString: localMarket().database_url });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables
        WHERE schemaname = 'public' AND tablename NOT IN ('rate_limits', 'match_agents') ORDER BY 1`,
    );
    const seen: Record<string, string> = {};
    for (const { name } of tables.rows) {
      const digest = name === 'api_keys' ? `''` : `md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), ''))`;
      const { rows } = await client.query<{ n: string; digest: string }>(
        `SELECT count(*) AS n, ${digest} AS digest FROM "${name}" t
         WHERE EXISTS (SELECT 1 FROM unnest($1::text[]) id WHERE position(id IN t::text) > 0)`,
        [ids],
      );
      seen[name] = `${rows[0]!.n} rows ${rows[0]!.digest}`;
    }
    return seen;
  } finally {
    await client.end();
  }
}

/** Runs one statement on the market's database. */
export async function query<T extends object>(sql: string, values: readonly unknown[] = []): Promise<T[]> {
  const client = new Client({ connectionString: localMarket().database_url });
  await client.connect();
  try {
    return (await client.query<T>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}
