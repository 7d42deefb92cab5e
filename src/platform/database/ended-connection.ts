import type pg from 'pg';

/**
 * Calls `then` when Postgres says that it ends a connected client (a failover, an administrator). That comes before what
 * waits there is rejected, and so before anybody can send more; the connection itself is lost only a moment later.
 */
export function whenEnded(client: pg.Client, then: () => void): void {
  client.connection.on('errorMessage', ({ severity }: pg.DatabaseError) => {
    if (severity === 'FATAL') then();
  });
}
