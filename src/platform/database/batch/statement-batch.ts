import pg from 'pg';

/** One statement of a batch. With a name, each connection parses and plans it once: one name, one text, for good. */
export interface BatchStatement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** What the driver keeps of a connection's named statements, beside what its types tell. */
interface StatementNames {
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
}

/** A query of the driver as the messages of the server reach it, beside what its types tell. */
type DriverQuery = pg.Query & {
  readonly name?: string;
  readonly text: string;
  prepare(connection: object): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
  handleReadyForQuery(connection: pg.Connection): void;
  handleError(error: unknown, connection: pg.Connection): void;
};

/** Which statement of its batch an error is of. */
const failed = new WeakMap<object, BatchStatement>();

/** The statement of a batch that failed with this error of the driver; undefined for one that was sent by itself. */
export function failedStatement(error: object): BatchStatement | undefined {
  return failed.get(error);
}

/**
 * Sends statements of one transaction in one piece, and waits once for all of them.
 *
 * They end in one Sync: when one fails, Postgres passes over all that follow, a COMMIT among them, and the transaction
 * stays open and aborted until it is rolled back. So a batch never commits a part, and never runs outside of its
 * transaction what comes after a beginning that failed.
 * @returns the result of the last one.
 * @throws the driver's error of the first that fails; `failedStatement` tells which that was.
 */
export function runBatch(client: pg.Client, statements: readonly BatchStatement[]): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const batch = new StatementBatch(statements, resolve, reject);
    client.query(batch);
  });
}

/** A query of our own, as the driver lets one be made (Submittable); each statement is read by a query of the driver's. */
class StatementBatch implements pg.Submittable {
  /** The driver asks a query of its own kind so, and calls it when it gives up waiting; here `handleError` is called. */
  readonly callback = (): void => undefined;
  private readonly parts: readonly DriverQuery[];
  /** The statement whose messages come now. */
  private place = 0;

  constructor(
    private readonly statements: readonly BatchStatement[],
    resolve: (result: pg.QueryResult) => void,
    private readonly reject: (error: unknown) => void,
  ) {
    const last = statements.length - 1;
    this.parts = statements.map(({ name, text, values = [] }, index) => {
      const done = (error: unknown, result: unknown): void => {
        if (error) this.fail(index, error);
        else if (index === last) resolve(result as pg.QueryResult);
      };
      // By its text, and named behind it: of an object the driver makes a copy with all its descriptors, which is slow.
      return Object.assign(new pg.Query(text, [...values], done) as DriverQuery, { name });
    });
  }

  /** The driver notes what was parsed by these two. */
  get name(): string | undefined {
    return this.parts[this.place]?.name;
  }

  get text(): string | undefined {
    return this.parts[this.place]?.text;
  }

  /** @returns an error, with nothing sent, when a value of a statement cannot be sent. */
  readonly submit = (connection: pg.Connection): Error | null => {
    const chunks: Buffer[] = [];
    let unsent: Error | null = null;
    const gathering: object = Object.create(connection, {
      stream: { value: { writable: true, write: (chunk: Buffer) => chunks.push(chunk) } },
      // Between statements there is none, and the driver closes a statement only when it could not write its values.
      sync: { value: () => undefined },
      close: { value: () => (unsent ??= new Error('A value of a statement cannot be sent')) },
    });
    for (const part of this.parts) {
      unsent ??= conflict(part, namesOf(connection));
      if (unsent === null) part.prepare(gathering);
    }
    if (unsent !== null) {
      this.forgetUnparsed(connection);
      return unsent;
    }
    chunks.push(SYNC);
    connection.stream.write(Buffer.concat(chunks));
    return null;
  };

  handleRowDescription(message: unknown): void {
    this.parts[this.place]?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.parts[this.place]?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    this.parts[this.place]?.handleCommandComplete(message, connection);
    this.place += 1;
  }

  handleReadyForQuery(connection: pg.Connection): void {
    for (const part of this.parts) part.handleReadyForQuery(connection);
  }

  /** What the server refuses, and what happens to the connection. */
  handleError(error: unknown, connection: pg.Connection): void {
    this.forgetUnparsed(connection);
    const index = Math.min(this.place, this.parts.length - 1);
    this.parts[index]?.handleError(error, connection);
  }

  private fail(index: number, error: unknown): void {
    const statement = this.statements[index];
    if (typeof error === 'object' && error !== null && statement) failed.set(error, statement);
    this.reject(error);
  }

  /** The server has passed over the rest: what it has not parsed is sent in full the next time. */
  private forgetUnparsed(connection: pg.Connection): void {
    const { submittedNamedStatements } = namesOf(connection);
    for (const { name } of this.parts) if (name !== undefined) delete submittedNamedStatements[name];
  }
}

/** The message that ends what belongs together (PostgreSQL, frontend/backend protocol: Sync). */
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);

function namesOf(connection: pg.Connection): StatementNames {
  return connection as pg.Connection & StatementNames;
}

/** As the driver says it of a name that stands for another text. */
function conflict({ name, text }: DriverQuery, { parsedStatements, submittedNamedStatements }: StatementNames) {
  if (name === undefined) return null;
  const known = parsedStatements[name] ?? submittedNamedStatements[name];
  if (known === undefined || known === text) return null;
  return new Error(`Prepared statements must be unique - '${name}' was used for a different statement`);
}
