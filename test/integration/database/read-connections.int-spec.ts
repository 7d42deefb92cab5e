import { Environment } from '../../../src/platform/config/environment.js';
import { LISTS, ReadConnections } from '../../../src/platform/database/reads/read-connections.js';
import { translateError } from '../../../src/platform/http/server/translate-error.js';
import { createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { ListeningService } from '../../support/listening-service.js';
import { lockedTable } from '../../support/locked-table.js';
import type { DataSource } from 'typeorm';

/** A statement that runs until the spec lets go of the lock. */
const HELD = 'SELECT pg_advisory_xact_lock_shared(1)::text AS held';
const SLEEP = 'SELECT pg_sleep(60)::text AS slept';
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let dataSource: DataSource;
let environment: Environment;
let reads: ReadConnections;

beforeEach(async () => {
  const database = await createMigratedDatabase();
  dataSource = database.dataSource;
  environment = Object.assign(new Environment(), { databaseUrl: database.url });
  reads = readsWithin(60_000);
});
afterEach(async () => {
  await reads.onModuleDestroy();
  await dataSource.destroy();
});

/** Read connections whose statements are cancelled after this time. */
function readsWithin(budgetMs: number): ReadConnections {
  return new ReadConnections(environment, { ...LISTS, budgetMs, spareConnections: 2 });
}

const quick = (): Promise<unknown> => reads.query('one', 'SELECT 1 AS one', []);

async function connections(): Promise<number> {
  const [row] = await dataSource.query(
    `SELECT count(*)::integer AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'tasktree-read'`,
  );
  return row.count;
}

/**
 * Runs `act` while statements that do not end run on this many connections. Each goes to a connection on which nothing
 * is overdue. They end after `act`.
 */
async function whileStalled(count: number, act: () => Promise<void>): Promise<void> {
  const holder = dataSource.createQueryRunner();
  await holder.query('SELECT pg_advisory_lock(1)');
  const held: Promise<unknown>[] = [];
  try {
    for (let n = 0; n < count; n += 1) {
      held.push(reads.query('held', HELD, []));
      await wait(150);
    }
    await act();
  } finally {
    await holder.query('SELECT pg_advisory_unlock(1)');
    await holder.release();
    await Promise.all(held);
  }
}

describe('the read connections', () => {
  it.each([1, 2, 3])('serve the others while a slow statement runs on %i of them', async (count) => {
    await Promise.all([quick(), quick()]);
    await whileStalled(count, async () => {
      for (let n = 0; n < 40; n += 1) await quick();
      await Promise.all(Array.from({ length: 40 }, quick));
    });
  });

  it('open no connection beside the usual ones while nothing is overdue', async () => {
    for (let n = 0; n < 20; n += 1) await Promise.all(Array.from({ length: 50 }, quick));
    expect(await connections()).toBe(LISTS.connections);
  });

  it('open no more than they may; what finds none free waits, and is served', async () => {
    const waiting: Promise<unknown>[] = [];
    await whileStalled(4, async () => {
      await eventually(async () => {
        waiting.push(...Array.from({ length: 20 }, quick));
        return (await connections()) === 4;
      });
    });
    await Promise.all(waiting);
    expect(await connections()).toBeLessThanOrEqual(4);
  });

  it('end the connections that they opened beside the usual ones, some seconds after they were needed', async () => {
    const waiting: Promise<unknown>[] = [];
    await whileStalled(3, () =>
      eventually(async () => {
        waiting.push(quick());
        return (await connections()) > LISTS.connections;
      }),
    );
    await Promise.all(waiting);
    await eventually(async () => (await connections()) <= LISTS.connections);
    await Promise.all(Array.from({ length: 20 }, quick));
  });

  it('cancel what takes longer than its budget: a 503 for that one alone, and the connection goes on', async () => {
    await reads.onModuleDestroy();
    reads = readsWithin(1_000);
    const late = reads.query('sleep', SLEEP, []).catch((error: unknown) => error);
    const behind = Promise.all(Array.from({ length: 20 }, quick));
    expect(translateError(await late)).toMatchObject({ status: 503, code: 'service_unavailable' });
    await behind;
    expect(await connections()).toBeLessThanOrEqual(LISTS.connections);
    await quick();
  });

  it('serve whoever comes right after a connection that Postgres has ended', async () => {
    const next = reads.query('sleep', SLEEP, []).catch(() => quick());
    const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'tasktree-read' AND query LIKE '%pg_sleep%'`;
    await eventually(async () => (await dataSource.query(kill)).length > 0);
    expect(await next).toEqual([{ one: '1' }]);
  });

  it('a busy event loop makes no statement look slow', async () => {
    await Promise.all([quick(), quick()]);
    const running = [quick(), quick()];
    const end = Date.now() + 200;
    while (Date.now() < end);
    await Promise.all([...running, ...Array.from({ length: 40 }, quick)]);
    expect(await connections()).toBeLessThanOrEqual(LISTS.connections);
  });
});

describe('the service', () => {
  let side: ListeningService;
  beforeAll(async () => {
    side = await ListeningService.listen();
  });
  afterAll(() => side.close());

  it('answers a list that takes too long with 503 and Retry-After, and all other lists meanwhile', async () => {
    const { keys } = await side.caller('0x00000000000000000000000000000000000000A1');
    const get = (path: string): Promise<Response> =>
      fetch(`${side.url}/v1/${path}`, { headers: { 'X-Api-Key': keys.read } });
    expect((await get('tasks')).status).toBe(200);
    await lockedTable(side.dataSource, 'receipts', async () => {
      const late = [get('receipts'), get('receipts')];
      await wait(200);
      expect((await get('tasks')).status).toBe(200);
      for (const answer of await Promise.all(late)) {
        expect(answer.status).toBe(503);
        expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
        expect(await answer.json()).toEqual({
          error: {
            code: 'service_unavailable',
            reason: 'This takes longer than the service allows.',
            suggestion: 'Try again in a moment.',
          },
        });
      }
    });
    expect((await get('receipts')).status).toBe(200);
  });
});
