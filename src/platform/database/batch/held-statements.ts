import pg from 'pg';
import { type BatchStatement, failedStatement, isBatch, runBatch, runEach } from './statement-batch.js';

const BEGINNING = 'START TRANSACTION';
const END = 'COMMIT';
const UNDOING = 'ROLLBACK';
/** Names of prepared statements, for texts that Postgres would otherwise parse each time. */
const NAMES: ReadonlyMap<string, string> = new Map([
  [BEGINNING, 'transaction-start'],
  [END, 'transaction-commit'],
]);

/** Runs one statement on the connection, and resolves to its result. */
export type Ask = (statement: BatchStatement) => Promise<pg.QueryResult>;

/**
 * A statement that a transaction begins with, and whose result decides whether the transaction may go on. It is sent
 * together with the next statement, whose result nobody gets to see when this one's is not accepted.
 */
export interface Opening {
  readonly statement: BatchStatement;
  /** Whether the transaction may go on. */
  accepts(result: pg.QueryResult): boolean;
  /**
   * Runs in a transaction of its own when the result was not accepted. The transaction goes on in it afterwards.
   * @throws what ends the transaction.
   */
  retry(ask: Ask): Promise<void>;
  /** Is told the error when the statement or `retry` has failed. */
  failed(error: unknown): void;
}

/** The statements of one connection that wait for the next one. */
interface Held {
  statements: BatchStatement[];
  /** True while the next START TRANSACTION is to wait. */
  holdsBeginning: boolean;
  /** The opening among the statements, if there is one. */
  opening: Opening | null;
  /** While it is not known whether the opening was accepted: settles when it is. Nothing else may be sent before. */
  deciding: Promise<void> | null;
}

const heldBy = new WeakMap<pg.Client, Held>();

/** Lets statements wait on this connection, whose `query` must call `sentWithHeld` each time. */
export function letHold(client: pg.Client): void {
  heldBy.set(client, { statements: [], holdsBeginning: false, opening: null, deciding: null });
}

/**
 * Lets the next START TRANSACTION on the connection wait: it is answered at once, and sent with the statement after it.
 * A transaction that has no statement yet is no different from none.
 */
export function holdBeginning(client: unknown): void {
  const held = heldOf(client);
  if (held) held.holdsBeginning = true;
}

/**
 * Keeps back a statement of the open transaction, whose rows nobody reads, and sends it with the next one, at the
 * latest with COMMIT. When it fails, the COMMIT is not executed.
 * @returns false when the connection holds no statements back: the caller must run it as usual.
 */
export function holdStatement(client: unknown, statement: BatchStatement): boolean {
  const held = heldOf(client);
  held?.statements.push(statement);
  return held !== undefined;
}

/**
 * As `holdStatement`, for the statement that decides about the transaction.
 * @returns false when the connection holds no statements back: the caller must do what `retry` does.
 */
export function holdOpening(client: unknown, opening: Opening): boolean {
  const held = heldOf(client);
  if (!held) return false;
  held.statements.push(opening.statement);
  held.opening = opening;
  return true;
}

/**
 * Sends several statements of the open transaction together with those that wait.
 * @returns their results; null when the connection holds no statements back: the caller must send them itself.
 * @throws as `runEach`.
 */
export function sentTogether(client: unknown, statements: readonly BatchStatement[]): Promise<pg.QueryResult[]> | null {
  const held = heldOf(client);
  if (!held || !(client instanceof pg.Client)) return null;
  return held.deciding ? held.deciding.then(() => send(client, held, statements)) : send(client, held, statements);
}

/**
 * Sends the next query of a connection together with the statements that wait, and returns its result: undefined when
 * it waits too, or when nothing of its transaction was ever sent. Null when the caller must send the query itself.
 * @throws Error for a cursor or a stream while an opening waits: nobody could keep its rows back.
 */
export function sentWithHeld(client: pg.Client, query: readonly unknown[]): Promise<pg.QueryResult | undefined> | null {
  const held = heldBy.get(client);
  if (!held || isBatch(query[0])) return null;
  const statement = statementOf(query);
  if (held.deciding) return after(held.deciding, client, query, statement);
  if (!statement)
    return held.opening ? after(decided(client, held), client, query, statement) : sentBefore(client, held);
  if (statement.text === BEGINNING && held.holdsBeginning) {
    held.holdsBeginning = false;
    held.statements.push(named(statement));
    return Promise.resolve(undefined);
  }
  const { statements } = held;
  if (statements.length === 0) return null;
  const isUnbegun = statements[0]?.text === BEGINNING;
  if (statement.text === UNDOING) {
    held.statements = [];
    held.opening = null;
    return isUnbegun ? Promise.resolve(undefined) : null;
  }
  if (isUnbegun && statements.length === 1 && statement.text === END) {
    held.statements = [];
    return Promise.resolve(undefined);
  }
  // COMMIT must not be executed before it is known that the opening was accepted.
  if (held.opening && (statement.text === END || !isExtended(statement))) {
    return after(decided(client, held), client, query, statement);
  }
  if (!isExtended(statement)) return sentBefore(client, held);
  return send(client, held, [named(statement)]).then(([result]) => result);
}

/** Sends the query when it is known whether the opening was accepted; if it failed, the query fails as well. */
function after(
  decision: Promise<void>,
  client: pg.Client,
  query: readonly unknown[],
  statement: BatchStatement | null,
): Promise<pg.QueryResult | undefined> {
  if (!statement) throw new Error('A cursor or a stream cannot follow the opening of a transaction at once');
  return decision.then(() => client.query(...(query as [string])));
}

/** Sends the statements that wait by themselves. */
async function decided(client: pg.Client, held: Held): Promise<void> {
  await send(client, held, []);
}

/** Sends statements behind those that wait, and returns their results. */
function send(client: pg.Client, held: Held, statements: readonly BatchStatement[]): Promise<pg.QueryResult[]> {
  const { statements: before, opening } = held;
  held.statements = [];
  held.opening = null;
  if (!opening) return runEach(client, [...before, ...statements]).then((results) => results.slice(before.length));
  const results = sendOpening(client, opening, before, statements);
  held.deciding = results
    .catch(() => undefined)
    .then(() => {
      held.deciding = null;
    });
  return results;
}

async function sendOpening(
  client: pg.Client,
  opening: Opening,
  before: readonly BatchStatement[],
  statements: readonly BatchStatement[],
): Promise<pg.QueryResult[]> {
  const place = before.indexOf(opening.statement);
  const ask: Ask = (statement) => runBatch(client, [statement]);
  try {
    const results = await runEach(client, [...before, ...statements]);
    const result = results[place];
    if (result && opening.accepts(result)) return results.slice(before.length);
  } catch (error) {
    const failed = typeof error === 'object' && error !== null ? failedStatement(error) : undefined;
    // What failed behind it is a matter of that statement. Before it, or on the way, nothing has begun.
    if (failed === undefined || before.slice(0, place + 1).includes(failed)) opening.failed(error);
    throw error;
  }
  try {
    await ask({ text: UNDOING });
    await ask({ text: BEGINNING });
    await opening.retry(ask);
  } catch (error) {
    opening.failed(error);
    throw error;
  }
  const behind = [...before.slice(place + 1), ...statements];
  return behind.length === 0 ? [] : (await runEach(client, behind)).slice(behind.length - statements.length);
}

/** Drops the statements that wait, because the connection goes to somebody else. */
export function dropHeld(client: unknown): void {
  const held = heldOf(client);
  if (!held) return;
  held.statements = [];
  held.holdsBeginning = false;
  held.opening = null;
}

/**
 * Sends the statements that wait ahead of a query that cannot be sent with them, such as a text of several statements.
 * If one of them fails, the transaction is aborted, so the query and COMMIT fail too.
 */
function sentBefore(client: pg.Client, held: Held): null {
  const { statements } = held;
  held.statements = [];
  if (statements.length > 0) runBatch(client, statements).catch(() => undefined);
  return null;
}

function heldOf(client: unknown): Held | undefined {
  return client instanceof pg.Client ? heldBy.get(client) : undefined;
}

/**
 * The query when it is one statement whose result is a promise; null for a cursor, a stream, or a query with a
 * callback.
 */
function statementOf([first, second, ...more]: readonly unknown[]): BatchStatement | null {
  if (typeof second === 'function' || more.length > 0) return null;
  const values = Array.isArray(second) ? { values: second } : {};
  if (typeof first === 'string') return { text: first, ...values };
  if (typeof first !== 'object' || first === null || 'submit' in first || 'callback' in first) return null;
  // A query with other members than a name, a text and values is left to the driver.
  if (Object.keys(first).some((key) => key !== 'name' && key !== 'text' && key !== 'values')) return null;
  return { ...(first as BatchStatement), ...values };
}

/** Whether it may be sent by the extended protocol, which takes no text of several statements. */
function isExtended({ name, text, values = [] }: BatchStatement): boolean {
  return name !== undefined || values.length > 0 || text === END;
}

function named(statement: BatchStatement): BatchStatement {
  const name = statement.name ?? NAMES.get(statement.text);
  return name === undefined ? statement : { ...statement, name };
}
