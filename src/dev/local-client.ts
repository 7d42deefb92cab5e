import pg from 'pg';

/**
 * A connection, not opened yet, to a database that this process has started. When a signal stops the database, that is
 * no fault of the connection: its statements reject, and whoever began them ends.
 */
export function localClient(url: string): pg.Client {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  return client;
}
