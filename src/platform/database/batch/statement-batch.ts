import pg from 'pg';

/**
 * One statement of a batch. Each connection parses and plans a named one once, so a name must always stand for the same
 * text.
 */
export interface BatchStatement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** Where the driver keeps a connection's named statements; its types do not declare these members. */
interface StatementNames {
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
}

/** A query of the driver, with the methods that get the server's messages; its types do not declare them. */
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

/** By error, the statement of a batch that failed with it. */
const failed = new WeakMap<object, BatchStatement>();

/** The statement of a batch that failed with this error of the driver; undefined for one that was sent by itself. */
export function failedStatement(error: object): BatchStatement | undefined {
  return failed.get(error);
}

/**
 * As `runEach`, of which only the result of the last statement is wanted.
 * @returns the result of the last one.
 */
export async function runBatch(client: pg.Client, statements: readonly BatchStatement[]): Promise<pg.QueryResult> {
  const last = (await runEach(client, statements)).at(-1);
  if (!last) throw new Error('A batch has at least one statement');
  return last;
}

/**
 * Sends statements of one transaction in one piece, and waits once for all of them.
 *
 * They end in one Sync: when one fails, Postgres passes over all that follow, a COMMIT among them, and the transaction
 * stays open and aborted until it is rolled back. So a batch never commits a part, and never runs outside of its
 * transaction what comes after a beginning that failed.
 * @param statements at least one.
 * @returns the result of each.
 * @throws the driver's error of the first that fails; `failedStatement` tells which that was.
 */
export function runEach(client: pg.Client, statements: readonly BatchStatement[]): Promise<pg.QueryResult[]> {
  return new Promise((resolve, reject) => {
    const batch = new StatementBatch(statements, resolve, reject);
    client.query(batch);
  });
}

/** Whether a query of the driver is a batch, which is sent as it is. */
export function isBatch(query: unknown): boolean {
  return query instanceof StatementBatch;
}

/**
 * A query of our own kind, which the driver allows (Submittable); the answer to each statement is read by a query of
 * the driver's.
 */
class StatementBatch implements pg.Submittable {
  /**
   * The driver calls this when it gives up waiting. It calls `handleError`, too, which reports the error, so nothing is
   * done here.
   */
  readonly callback = (): void => undefined;
  private readonly parts: readonly DriverQuery[];
  private readonly results: pg.QueryResult[] = [];
  /** The statement whose messages come now. */
  private place = 0;

  constructor(
    private readonly statements: readonly BatchStatement[],
    resolve: (results: pg.QueryResult[]) => void,
    private readonly reject: (error: unknown) => void,
  ) {
    const last = statements.length - 1;
    this.parts = statements.map(({ name, text, values = [] }, index) => {
      const done = (error: unknown, result: unknown): void => {
        if (error) return this.fail(index, error);
        this.results.push(result as pg.QueryResult);
        if (index === last) resolve(this.results);
      };
      // By its text, and named behind it: of an object the driver makes a copy with all its descriptors, which is slow.
      return Object.assign(new pg.Query(text, [...values], done) as DriverQuery, { name });
    });
  }

  /** The driver records by these two members which statement was parsed. */
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
      // There is no Sync between statements, and the driver closes a statement only when it could not write its values.
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

  /** Gets errors of the server and of the connection. */
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

  /**
   * The server has skipped the statements after an error: those that it has not parsed are sent in full the next time.
   */
  private forgetUnparsed(connection: pg.Connection): void {
    const { submittedNamedStatements } = namesOf(connection);
    for (const { name } of this.parts) if (name !== undefined) delete submittedNamedStatements[name];
  }
}

/** The message that ends a batch (PostgreSQL, frontend/backend protocol: Sync). */
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);

function namesOf(connection: pg.Connection): StatementNames {
  return connection as pg.Connection & StatementNames;
}

/** The driver's own error for a name that stands for another text; null when it does not. */
function conflict({ name, text }: DriverQuery, { parsedStatements, submittedNamedStatements }: StatementNames) {
  if (name === undefined) return null;
  const known = parsedStatements[name] ?? submittedNamedStatements[name];
  if (known === undefined || known === text) return null;
  return new Error(`Prepared statements must be unique - '${name}' was used for a different statement`);
}
