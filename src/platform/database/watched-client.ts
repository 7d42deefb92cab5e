import { Socket } from 'node:net';
import pg from 'pg';
import { letHold, sentWithHeld } from './batch/held-statements.js';
import { refuseStrayWrite } from './write-stage.js';

/**
 * A connection that ends when nothing was heard on it for `silenceMs` milliseconds. Time limits that the server keeps
 * are worth nothing when the server is stopped or the way to it is lost without a word: the statement would wait for
 * ever, and the pool would hand the same dead connection out again. What waits is rejected as on any lost connection.
 * It refuses a statement that would be committed by itself in the middle of a larger write (write-stage.ts), sends the
 * statements that wait along with the next one (held-statements.ts), and throws when a COMMIT has committed nothing.
 */
export function watchedClient(silenceMs: number): typeof pg.Client {
  return class WatchedClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      // An error that no listener hears ends the process, and there is a moment without one: the pool takes its listener off
      // when it hands a new connection out, and TypeORM puts its own on only once its promise has resolved. What waits is
      // rejected all the same, and a client that is lost is not handed out again.
      this.on('error', () => undefined);
      letHold(this);
      // oxlint-disable-next-line typescript/unbound-method -- it is called with the client that it was called on.
      this.query = guarded(this.query);
      // Only from now on is this the stream that carries the messages: until now, TLS could replace the plain socket.
      this.once('connect', () => {
        const { stream } = this.connection;
        if (stream instanceof Socket) stream.setTimeout(silenceMs, () => stream.destroy());
        // That Postgres ends the connection is heard before what waits there is rejected, and its end only afterwards. Until
        // then the pool would hand it out again; a client that is ending it does not take back.
        this.connection.on('errorMessage', ({ severity }: pg.DatabaseError) => {
          if (severity === 'FATAL') this.end().catch(() => undefined);
        });
      });
    }
  };
}

function guarded(query: pg.Client['query']): pg.Client['query'] {
  return new Proxy(query, {
    // The driver's own method is looked up at each call, because it may have been replaced to observe it.
    apply(_target, client: pg.Client, values: unknown[]) {
      const text = textOf(values[0]);
      refuseStrayWrite(text);
      const answer: unknown =
        sentWithHeld(client, values) ??
        // oxlint-disable-next-line typescript/unbound-method -- it is called with the client that it was called on.
        Reflect.apply(pg.Client.prototype.query, client, values);
      return text === 'COMMIT' && answer instanceof Promise ? answer.then(requireCommitted) : answer;
    },
  });
}

/** Postgres answers the COMMIT of an aborted transaction with ROLLBACK, and calls that a success. */
function requireCommitted<Result extends pg.QueryResult | undefined>(result: Result): Result {
  if (result?.command !== 'ROLLBACK') return result;
  throw new Error(
    'The transaction was rolled back: one of its statements had failed, and COMMIT was sent all the same',
  );
}

/** A statement is a text, or an object that has one; a cursor or a stream has none. */
function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  if (typeof statement !== 'object' || statement === null || !('text' in statement)) return '';
  return typeof statement.text === 'string' ? statement.text : '';
}
