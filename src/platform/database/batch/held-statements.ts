import pg from 'pg';
import { type BatchStatement, runBatch } from './statement-batch.js';

const BEGINNING = 'START TRANSACTION';
const END = 'COMMIT';
const UNDOING = 'ROLLBACK';
/** Names of prepared statements, for texts that Postgres would otherwise parse each time. */
const NAMES: ReadonlyMap<string, string> = new Map([
  [BEGINNING, 'transaction-start'],
  [END, 'transaction-commit'],
]);

/** The statements of one connection that wait for the next one. */
interface Held {
  statements: BatchStatement[];
  /** True while the next START TRANSACTION is to wait. */
  holdsBeginning: boolean;
}

const heldBy = new WeakMap<pg.Client, Held>();

/** Lets statements wait on this connection, whose `query` must call `sentWithHeld` each time. */
export function letHold(client: pg.Client): void {
  heldBy.set(client, { statements: [], holdsBeginning: false });
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
 * Sends the next query of a connection together with the statements that wait, and returns its result: undefined when
 * it waits too, or when nothing of its transaction was ever sent. Null when the caller must send the query itself.
 */
export function sentWithHeld(client: pg.Client, query: readonly unknown[]): Promise<pg.QueryResult | undefined> | null {
  const held = heldBy.get(client);
  const statement = held && statementOf(query);
  if (!held || !statement) return held ? sentBefore(client, held) : null;
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
    return isUnbegun ? Promise.resolve(undefined) : null;
  }
  if (isUnbegun && statements.length === 1 && statement.text === END) {
    held.statements = [];
    return Promise.resolve(undefined);
  }
  if (!isExtended(statement)) return sentBefore(client, held);
  held.statements = [];
  return runBatch(client, [...statements, named(statement)]);
}

/** Drops the statements that wait, because the connection goes to somebody else. */
export function dropHeld(client: unknown): void {
  const held = heldOf(client);
  if (!held) return;
  held.statements = [];
  held.holdsBeginning = false;
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
