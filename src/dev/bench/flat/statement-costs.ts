import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Cost } from './flat-verdict.js';
import { eventDocument, PUBLIC } from '../../../modules/events/log/record-events.sql.js';
import { RECORD_EVENT } from '../events/event-bench.sql.js';
import { RESET_COSTS, STATEMENT_COSTS } from './statement-costs.sql.js';

/** Postgres settings that make the database count what each statement costs. */
export const COUNTING = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
  'pg_stat_statements.max': '10000',
};

/** How long the service is watched while nobody asks, to learn which statements it runs on its own. */
const IDLE_MS = 6_000;
const TIME = '2026-01-01T00:00:00.000Z';
/** An event for everybody: what brings it into the log, and who follows the log, runs beside requests too. */
const EVENT_ID = 'evt_flat';
const EVENT = eventDocument(
  { type: 'agent.updated', subject: { kind: 'agent', id: 'agent_flat' }, data: { updated_at: TIME } },
  EVENT_ID,
  TIME,
);

interface StatementRow {
  queryid: string;
  query: string;
  calls: number;
  buffers: number;
  ms: number;
}

/** A request's cost, and the statement that most of it is. */
export interface RequestCost extends Cost {
  dearest: string;
}

/** Measures what requests cost the database. Statements that the idle service runs on its own are left out. */
export class StatementCosts {
  private constructor(
    private readonly client: pg.Client,
    private readonly idle: ReadonlySet<string>,
  ) {}

  /** Watches the service first, for `IDLE_MS`, which only an event reaches. Resets the counters of pg_stat_statements. */
  static async open(client: pg.Client): Promise<StatementCosts> {
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    await client.query(RESET_COSTS);
    await client.query(RECORD_EVENT, [EVENT_ID, PUBLIC, EVENT]);
    await sleep(IDLE_MS);
    const { rows } = await client.query<StatementRow>(STATEMENT_COSTS);
    return new StatementCosts(client, new Set(rows.map(({ queryid }) => queryid)));
  }

  /**
   * The cost of the cheapest of `times` requests, each measured by itself. Others may include the making of a plan, or
   * a background round of the service.
   * @param prepare runs before each request and is not counted.
   */
  async of(times: number, request: () => Promise<void>, prepare: () => Promise<void>): Promise<RequestCost> {
    const costs: RequestCost[] = [];
    for (let n = 0; n < times; n += 1) {
      await prepare();
      costs.push(await this.once(request));
    }
    const [cheapest] = costs.toSorted((a, b) => a.ms - b.ms);
    if (!cheapest) throw new Error('Nothing was asked');
    return cheapest;
  }

  private async once(request: () => Promise<void>): Promise<RequestCost> {
    await this.client.query(RESET_COSTS);
    await request();
    const { rows } = await this.client.query<StatementRow>(STATEMENT_COSTS);
    const own = rows.filter(({ queryid }) => !this.idle.has(queryid));
    const sum = (of: (row: StatementRow) => number): number => own.reduce((all, row) => all + of(row), 0);
    const dearest = own.toSorted((a, b) => b.ms - a.ms)[0];
    return {
      statements: sum(({ calls }) => calls),
      buffers: sum(({ buffers }) => buffers),
      ms: sum(({ ms }) => ms),
      dearest: dearest?.query.replaceAll(/\s+/g, ' ') ?? '',
    };
  }
}
