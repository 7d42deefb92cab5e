import pg from 'pg';
import type { Transactions } from '../../../src/platform/database/transactions.js';

/** The query of the driver, or a batch of ours, with the method that the driver calls when it is answered. */
interface Submitted {
  readonly statements?: readonly { name?: string; text: string }[];
  readonly name?: string;
  readonly text?: string;
  handleReadyForQuery?(connection: unknown): void;
}

/** When a query was sent and when it was answered, as places in the order of all such events. */
interface Trip {
  readonly statements: readonly string[];
  readonly sentAt: number;
  answeredAt: number;
}

/** What ends a transaction. */
const ENDS: ReadonlySet<string> = new Set(['transaction-commit', 'COMMIT', 'ROLLBACK']);

/**
 * How often the keyed writes of `work` wait for Postgres, one time after another, and for what: queries that are on
 * their way together are one wait. What the process asks otherwise (keys, limits, jobs) is not counted.
 */
export async function waitsOf(transactions: Transactions, work: () => Promise<unknown>): Promise<string[][]> {
  const trips: Trip[] = [];
  let events = 0;
  const writing = new Set<pg.Client>();
  /** Which queries belong to a keyed write: its look-ups, and all on the connection that has taken the key. */
  const isOfWrite = (client: pg.Client, statements: readonly string[]): boolean => {
    if (statements.includes('idempotency-reserve')) writing.add(client);
    const isHeld = writing.has(client);
    if (statements.some((name) => ENDS.has(name))) writing.delete(client);
    return isHeld || statements.includes('idempotency-answer') || transactions['current'].getStore()?.['first'] != null;
  };
  const real = Reflect.get(pg.Client.prototype, 'query') as (...query: unknown[]) => unknown;
  const spied = jest.spyOn(pg.Client.prototype, 'query');
  spied.mockImplementation(function (this: pg.Client, ...query: unknown[]): unknown {
    const statements = statementsOf(query[0]);
    if (!isOfWrite(this, statements)) return Reflect.apply(real, this, query);
    const trip: Trip = { statements, sentAt: events++, answeredAt: Number.POSITIVE_INFINITY };
    trips.push(trip);
    const answered = (): void => void (trip.answeredAt = events++);
    const submitted = query[0] as Submitted;
    if (submitted.handleReadyForQuery) {
      const handle = submitted.handleReadyForQuery.bind(submitted);
      submitted.handleReadyForQuery = (connection) => {
        answered();
        handle(connection);
      };
    }
    const answer = Reflect.apply(real, this, query);
    if (answer instanceof Promise) answer.then(answered, answered);
    return answer;
  } as never);
  try {
    await work();
  } finally {
    spied.mockRestore();
  }
  return grouped(trips);
}

/** A query that was sent before any of the last group was answered belongs to that group. */
function grouped(trips: readonly Trip[]): string[][] {
  const groups: { statements: string[]; answeredAt: number }[] = [];
  for (const { statements, sentAt, answeredAt } of trips) {
    const last = groups.at(-1);
    if (last && sentAt < last.answeredAt) {
      last.statements.push(...statements);
      last.answeredAt = Math.min(last.answeredAt, answeredAt);
    } else groups.push({ statements: [...statements], answeredAt });
  }
  return groups.map(({ statements }) => statements);
}

/** The names of the statements; of one without a name, how it begins. */
function statementsOf(query: unknown): string[] {
  const { statements, name, text } = typeof query === 'string' ? ({ text: query } as Submitted) : (query as Submitted);
  return (statements ?? [{ name, text: text ?? '' }]).map(
    (one) =>
      one.name ??
      one.text
        .trim()
        .split(/[\s(]+/, 3)
        .join(' '),
  );
}
