import { Socket } from 'node:net';
import pg from 'pg';

/**
 * A connection that ends when nothing was heard on it for `silenceMs` milliseconds. Time limits that the server keeps
 * are worth nothing when the server is stopped or the way to it is lost without a word: the statement would wait for
 * ever, and the pool would hand the same dead connection out again. What waits is rejected as on any lost connection.
 */
export function watchedClient(silenceMs: number): typeof pg.Client {
  return class WatchedClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      // Only now is it the stream that carries the messages: before, TLS may have taken the place of the plain socket.
      this.once('connect', () => {
        const { stream } = this.connection;
        if (stream instanceof Socket) stream.setTimeout(silenceMs, () => stream.destroy());
      });
    }
  };
}
