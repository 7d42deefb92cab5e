import type { OnModuleDestroy } from '@nestjs/common';
import pg from 'pg';
import type { Environment } from '../../config/environment.js';

const CONNECT_TIMEOUT_MS = 3_000;
/** A stopped server keeps no time limit, so after this long the connection is cut, and all that waits on it fails. */
const SILENCE_MS = 6_000;
/** A statement that runs for longer is overdue: nothing more is sent behind it while another connection is free. */
const OVERDUE_MS = 50;
/** How often overdue statements are looked for while any statement runs. */
const WATCH_MS = 25;
/** A spare connection is closed when it was not needed for this long. */
const SPARE_IDLE_MS = 10_000;
/** SQLSTATE of a statement that was cancelled, which on these connections only its time limit does. */
const CANCELLED = '57014';

/** Every value arrives as the text Postgres sent: default parsing of arrays and times costs more than the query. */
const asText = { getTypeParser: () => (value: unknown) => value };

/**
 * Each statement is written so that one plan fits all values; planning it each time would cost more than running it.
 */
export const READ_SETTINGS: readonly string[] = [
  'plan_cache_mode=force_generic_plan',
  'default_transaction_read_only=on',
];

/** How statements are spread over connections, and how those are set. */
export interface ReadShape {
  connections: number;
  /** So many more may be opened while each of `connections` has an overdue statement. */
  spareConnections: number;
  /** A connection takes this many statements before those of the same moment go to another; 1: each leaves at once. */
  gatheredStatements: number;
  /** What a statement may take in Postgres, in milliseconds; one that takes longer is cancelled. */
  budgetMs: number;
  /** Settings of Postgres for these connections, beside those of all. */
  settings: readonly string[];
}

/**
 * For lists: few connections, because each carries many statements at once, and those of one moment go out together. A
 * page is a range of an index in its order. The one plan of a statement is made for an account of average size; with
 * the other scans switched off, it reads the index also for an account that owns a fifth of the table, and for a table
 * that was empty when the plan was made. So it is with a sort of what another index gives nearly in order, which looks
 * cheap where every account is expected to have few rows, and reads all rows of one that has many.
 */
export const LISTS: ReadShape = {
  connections: 2,
  spareConnections: 6,
  gatheredStatements: 16,
  budgetMs: 500,
  settings: ['enable_seqscan=off', 'enable_bitmapscan=off', 'enable_incremental_sort=off'],
};

/**
 * For searches, whose statements take milliseconds: those of one moment run in parallel, each on its own connection.
 * They look up many rows by key. Their plans are kept, and one that was made while a table was small would read the
 * whole table for each of the rows.
 */
export const SEARCHES: ReadShape = {
  connections: 4,
  spareConnections: 4,
  gatheredStatements: 1,
  budgetMs: 1_000,
  settings: ['enable_seqscan=off'],
};

/**
 * For look-ups of single rows by key, with which a write begins: those of one moment go out together, as lists do, on
 * connections of their own, so that no write waits for a list.
 */
export const LOOK_UPS: ReadShape = { ...LISTS, spareConnections: 2 };

/** The database that is read. */
type ReadDatabase = Pick<Environment, 'databaseUrl'>;

interface Slot {
  client: pg.Client;
  inFlight: number;
  /**
   * When the first statement in flight began to run, by the monotonic clock; without meaning while none is in flight.
   */
  sinceMs: number;
  /** True while that statement has run for longer than others should wait. */
  isOverdue: boolean;
  /** True while statements are held back until all requests that have arrived by now are read. */
  isGathering: boolean;
  /** Ends a spare connection that is idle. */
  ending?: NodeJS.Timeout;
}

/**
 * A statement took longer than reads may take, and Postgres has cancelled it. `code` is the SQLSTATE, for which a
 * caller gets a 503; the statement's name, and the driver's error as `cause`, are for the log.
 */
export class ReadBudgetError extends Error {
  readonly code = '57014';

  constructor(statement: string, cause: unknown) {
    super(`The statement "${statement}" took longer than its budget`, { cause });
    this.name = 'ReadBudgetError';
  }
}

/**
 * Read-only statements on pipelined connections. A pipelined connection sends a statement without waiting for the
 * answer to the one before, which is worth a factor of two on lists (docs/decisions/performance.md#pipelined-reads),
 * but a slow statement holds up those behind it: so each has a budget, and nothing is sent behind one that is overdue
 * while another connection is free.
 */
export class ReadConnections implements OnModuleDestroy {
  private readonly slots: (Slot | Promise<Slot> | undefined)[];
  /** The newest client of each place, connected or not. */
  private readonly clients: pg.Client[] = [];
  private closed = false;
  /** The timer that finds overdue statements, while any statement is in flight. */
  private watch: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: ReadDatabase,
    private readonly shape: ReadShape = LISTS,
  ) {
    this.slots = Array.from({ length: shape.connections + shape.spareConnections });
  }

  /**
   * Runs a named prepared statement outside any transaction.
   * @param name names the statement for good: one name, one text.
   * @returns rows whose values are text or null, whatever their type.
   * @throws ReadBudgetError for a statement that takes longer than its budget; else the driver's error; a lost connection
   * rejects what was in flight and is replaced by the next call.
   */
  query<Row extends object>(name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.rows<Row>({ name, text, values: [...values], types: asText });
  }

  /** The same with values as `pg` parses them, for rows that an entity is made of. @throws as `query` */
  queryParsed<Row extends object>(name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.rows<Row>({ name, text, values: [...values] });
  }

  private async rows<Row extends object>(statement: pg.QueryConfig & { name: string }): Promise<Row[]> {
    const index = this.place();
    const known = this.slots[index];
    const slot = known && !(known instanceof Promise) ? known : await this.connected(index);
    this.begin(slot);
    if (this.shape.gatheredStatements > 1) gather(slot);
    try {
      return (await slot.client.query<Row>(statement)).rows;
    } catch (error) {
      throw isCancelled(error) ? new ReadBudgetError(statement.name, error) : error;
    } finally {
      this.end(slot, index);
    }
  }

  async onModuleDestroy(): Promise<void> {
    this.closed = true;
    clearInterval(this.watch);
    const slots = await Promise.allSettled(this.slots.splice(0).map((slot) => Promise.resolve(slot)));
    for (const slot of slots) {
      if (slot.status !== 'fulfilled' || !slot.value) continue;
      clearTimeout(slot.value.ending);
      await slot.value.client.end();
    }
  }

  private begin(slot: Slot): void {
    if (slot.inFlight === 0) slot.sinceMs = performance.now();
    slot.inFlight += 1;
    clearTimeout(slot.ending);
    this.watch ??= setInterval(() => setImmediate(() => this.markOverdue()), WATCH_MS).unref();
  }

  /** Answers come in the order of their statements, so the first of those still in flight has just begun to run. */
  private end(slot: Slot, index: number): void {
    slot.inFlight -= 1;
    slot.isOverdue = false;
    if (slot.inFlight > 0) slot.sinceMs = performance.now();
    else if (index >= this.shape.connections && !this.closed) {
      slot.ending = setTimeout(() => {
        if (slot.inFlight > 0) return;
        if (this.slots[index] === slot) this.slots[index] = undefined;
        slot.client.end().catch(() => undefined);
      }, SPARE_IDLE_MS).unref();
    }
  }

  /** Marks what is overdue. It runs behind the reading of answers, so that a busy event loop makes no statement look slow. */
  private markOverdue(): void {
    const running = this.slots.filter((slot) => slot && !(slot instanceof Promise) && slot.inFlight > 0) as Slot[];
    const nowMs = performance.now();
    for (const slot of running) slot.isOverdue = nowMs - slot.sinceMs > OVERDUE_MS;
    if (running.length > 0) return;
    clearInterval(this.watch);
    this.watch = undefined;
  }

  /**
   * Index of the slot that the next statement goes to: a connection that gathers statements, so that those of one
   * moment leave together, else the one with the fewest in flight. A place without a connection counts as idle. While
   * each of the usual connections has an overdue statement, it is a spare connection, and only when none is left, the
   * shortest queue behind an overdue statement.
   */
  private place(): number {
    const { connections, gatheredStatements } = this.shape;
    let [best, fewest] = [-1, Number.POSITIVE_INFINITY];
    let [shortest, waiting] = [0, Number.POSITIVE_INFINITY];
    for (let index = 0; index < this.slots.length; index += 1) {
      if (index === connections && best >= 0) break;
      const slot = this.slots[index];
      const open = slot === undefined || slot instanceof Promise ? null : slot;
      const inFlight = open?.inFlight ?? 0;
      if (open?.isOverdue) {
        if (inFlight < waiting) [shortest, waiting] = [index, inFlight];
        continue;
      }
      if (open?.isGathering && inFlight < gatheredStatements) return index;
      // One spare connection after the other is filled, so that no more are opened than are needed.
      if (index >= connections && slot !== undefined) return index;
      if (inFlight < fewest) [best, fewest] = [index, inFlight];
    }
    return best >= 0 ? best : shortest;
  }

  private connected(index: number): Promise<Slot> {
    const known = this.slots[index];
    if (known) return Promise.resolve(known);
    if (this.closed) return Promise.reject(new Error('the read connections are closed'));
    const opening = this.open(index);
    this.slots[index] = opening;
    return opening;
  }

  private async open(index: number): Promise<Slot> {
    const client = new pg.Client({
      connectionString: this.database.databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: this.shape.budgetMs,
      query_timeout: SILENCE_MS,
      application_name: 'tasktree-read',
      options: [...READ_SETTINGS, ...this.shape.settings].map((setting) => `-c ${setting}`).join(' '),
      pipeline: true,
    });
    this.clients[index] = client;
    const forget = (): void => {
      // Another client may have the place already, because a connection that breaks emits more than one event.
      if (this.clients[index] === client) this.slots[index] = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    // That Postgres ends the connection is heard before what waits there is rejected, and its end only afterwards.
    client.connection.on('errorMessage', ({ severity }: pg.DatabaseError) => {
      if (severity === 'FATAL') forget();
    });
    try {
      await client.connect();
    } catch (error) {
      forget();
      throw error;
    }
    const slot: Slot = { client, inFlight: 0, sinceMs: 0, isOverdue: false, isGathering: false };
    this.slots[index] = slot;
    return slot;
  }
}

/** Separate connections for searches, so that no list waits behind a search, and no part of a search for another. */
export class SearchConnections extends ReadConnections {
  constructor(database: ReadDatabase) {
    super(database, SEARCHES);
  }
}

/** Connections of their own for what a write looks up before its transaction begins. */
export class LookUpConnections extends ReadConnections {
  constructor(database: ReadDatabase) {
    super(database, LOOK_UPS);
  }
}

function isCancelled(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === CANCELLED;
}

/**
 * Holds the connection's writes back until the event loop has read every request that is there, so that their
 * statements leave in one system call instead of one each.
 */
function gather(slot: Slot): void {
  if (slot.isGathering) return;
  const { stream } = slot.client.connection;
  slot.isGathering = true;
  stream.cork();
  setImmediate(() => {
    slot.isGathering = false;
    stream.uncork();
  });
}
