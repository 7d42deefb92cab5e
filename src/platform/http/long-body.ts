import type { Duplex } from 'node:stream';

/** Connections on which a body comes that may take longer than every other request. */
const receiving = new WeakSet<Duplex>();

/**
 * Runs `receive` without the listener's limit on a request's whole time (tasktree-express-adapter.ts), which a large
 * body on a slow line exceeds. Node reports once per request that the time is over; until `receive` has settled, the
 * report is ignored. `receive` must have limits of its own.
 */
export async function receivingLongBody<T>(connection: Duplex, receive: () => Promise<T>): Promise<T> {
  receiving.add(connection);
  try {
    return await receive();
  } finally {
    receiving.delete(connection);
  }
}

/** True while a body of this connection may take its time. */
export function hasLongBody(connection: Duplex): boolean {
  return receiving.has(connection);
}
