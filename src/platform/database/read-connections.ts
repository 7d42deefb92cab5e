import { Injectable, type OnModuleDestroy, Optional } from '@nestjs/common';
import pg from 'pg';
import { Environment } from '../config/environment.js';

const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 5_000;
/** A server that is stopped keeps no time limit: after this long the connection is cut, and all that waits on it fails. */
const SILENCE_MS = STATEMENT_TIMEOUT_MS + 1_000;

/** Every value arrives as the text Postgres sent: default parsing of arrays and times costs more than the query. */
const asText = { getTypeParser: () => (value: unknown) => value };

/** One plan fits all values: statements are made so, and planning each time would cost more than running. */
const SETTINGS = ['plan_cache_mode=force_generic_plan', 'default_transaction_read_only=on'];

/** How statements are spread over connections, and how those are set. */
export interface ReadShape {
  connections: number;
  /** A connection takes this many statements before those of the same moment go to another; 1: each leaves at once. */
  gatheredStatements: number;
  /** Settings of Postgres for these connections, beside those of all. */
  settings: readonly string[];
}

/** For lists: few, because each carries many statements at once, and those of one moment go out together. */
const LISTS: ReadShape = { connections: 2, gatheredStatements: 16, settings: [] };

/**
 * For statements that take milliseconds: those of one moment run beside each other. They look up many rows by key, and their
 * plans are kept: one made while a table is small would read all of it for each of them.
 */
const SEARCHES: ReadShape = { connections: 4, gatheredStatements: 1, settings: ['enable_seqscan=off'] };

interface Slot {
  client: pg.Client;
  inFlight: number;
  /** True while statements are held back until all requests that have arrived by now are read. */
  isGathering: boolean;
}

/**
 * Read-only statements on pipelined connections. A pipelined connection sends a statement without waiting for the
 * answer to the one before, which is worth a factor of two on lists (design/performance.md §1).
 */
@Injectable()
export class ReadConnections implements OnModuleDestroy {
  private readonly slots: (Slot | Promise<Slot> | undefined)[];
  /** The newest client of each place, connected or not. */
  private readonly clients: pg.Client[] = [];
  private closed = false;

  constructor(
    private readonly environment: Environment,
    @Optional() private readonly shape: ReadShape = LISTS,
  ) {
    this.slots = Array.from({ length: shape.connections });
  }

  /**
   * Runs a named prepared statement outside any transaction.
   * @param name names the statement for good: one name, one text.
   * @returns rows whose values are text or null, whatever their type.
   * @throws the driver's error; a lost connection rejects what was in flight and is replaced by the next call.
   */
  async query<Row extends object>(name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
    const index = this.place();
    const known = this.slots[index];
    const slot = known && !(known instanceof Promise) ? known : await this.connected(index);
    slot.inFlight += 1;
    if (this.shape.gatheredStatements > 1) gather(slot);
    try {
      const result = await slot.client.query<Row>({ name, text, values: values as unknown[], types: asText });
      return result.rows;
    } finally {
      slot.inFlight -= 1;
    }
  }

  async onModuleDestroy(): Promise<void> {
    this.closed = true;
    const slots = await Promise.allSettled(this.slots.splice(0).map((slot) => Promise.resolve(slot)));
    for (const slot of slots) if (slot.status === 'fulfilled' && slot.value) await slot.value.client.end();
  }

  /**
   * Where the next statement goes: to a connection that gathers statements, so that those of one moment leave
   * together, else to the one with the fewest in flight. A place without a connection counts as idle.
   */
  private place(): number {
    let best = 0;
    let fewest = Number.POSITIVE_INFINITY;
    for (let index = 0; index < this.slots.length; index += 1) {
      const slot = this.slots[index];
      const open = slot === undefined || slot instanceof Promise ? null : slot;
      if (open?.isGathering && open.inFlight < this.shape.gatheredStatements) return index;
      const inFlight = open?.inFlight ?? 0;
      if (inFlight < fewest) [best, fewest] = [index, inFlight];
    }
    return best;
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
      connectionString: this.environment.databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: SILENCE_MS,
      application_name: 'tasktree-read',
      options: [...SETTINGS, ...this.shape.settings].map((setting) => `-c ${setting}`).join(' '),
      pipeline: true,
    });
    this.clients[index] = client;
    const forget = (): void => {
      // Its place may already be another's: a connection that breaks tells so more than once.
      if (this.clients[index] === client) this.slots[index] = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    try {
      await client.connect();
    } catch (error) {
      forget();
      throw error;
    }
    const slot: Slot = { client, inFlight: 0, isGathering: false };
    this.slots[index] = slot;
    return slot;
  }
}

/** Connections of their own for searches, so that no list waits behind one, and parts of a search not for each other. */
@Injectable()
export class SearchConnections extends ReadConnections {
  constructor(environment: Environment) {
    super(environment, SEARCHES);
  }
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
