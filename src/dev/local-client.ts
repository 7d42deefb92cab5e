import pg from 'pg';

/**
 * A connection (not opened yet) to a database that this process has started. It ignores the connection error when a
 * signal stops the database; running statements still reject.
 */
export function localClient(url: string): pg.Client {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  return client;
}
