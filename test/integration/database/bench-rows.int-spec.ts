import type { DataSource } from 'typeorm';
import { flatBeginning, flatGrowth, type FlatPeople } from '../../../src/dev/bench/flat/flat-data.sql.js';
import { FLAT_TARGETS, type FlatTargets } from '../../../src/dev/bench/flat/flat-targets.sql.js';
import { createMigratedDatabase } from '../../support/database.js';
import { MarketRows } from '../../support/market-rows.js';

/** Enough that a task of every status and a node of every state is among them. */
const TASKS = 400;
const SEED = 7;

let dataSource: DataSource;
let people: FlatPeople;

beforeAll(async () => {
  ({ dataSource } = await createMigratedDatabase());
  const rows = new MarketRows(dataSource);
  people = {
    buyer: await rows.account('Buyer'),
    worker: await rows.account('Worker'),
    owner: await rows.account('Owner'),
    ordinary: await rows.account('Ordinary'),
  };
  for (const statement of flatBeginning(people)) await dataSource.query(statement);
  // In two steps, as the bench grows its markets.
  for (const [from, to] of [
    [0, TASKS / 2],
    [TASKS / 2, TASKS],
  ] as const) {
    for (const statement of flatGrowth(from, to, SEED, people)) await dataSource.query(statement);
  }
});
afterAll(() => dataSource?.destroy());

const countOf = async (table: string, condition = 'true'): Promise<number> => {
  const [row] = await dataSource.query<[{ count: number }]>(
    `SELECT count(*)::integer AS count FROM ${table} WHERE ${condition}`,
  );
  return row.count;
};

it('the rows that the bench generates fit the tables', async () => {
  expect(await countOf('tasks')).toBe(TASKS);
  expect(await countOf('quotes')).toBe(2 * TASKS);
  expect(await countOf('escrow_nodes', "path = '1'")).toBeGreaterThan(TASKS / 4);
  expect(await countOf('escrow_nodes', `path = '1-2' AND parent_node_id || '-2' = id`)).toBeGreaterThan(TASKS / 8);
  expect(await countOf('deliveries')).toBeGreaterThan(0);
  expect(await countOf('receipts')).toBeGreaterThan(0);
});

it('what a caller acts on is found by its columns, and none of it is a generated row', async () => {
  const [targets] = await dataSource.query<[FlatTargets]>(FLAT_TARGETS, [people.buyer]);
  const { offered, terms_hash: termsHash, other_agent: agent, ...real } = targets;
  expect([offered, termsHash, agent]).toEqual([
    expect.stringMatching(/^task_01z/),
    expect.stringMatching(/^0x/),
    expect.stringMatching(/^agent_01/),
  ]);
  expect(new Set(Object.values(real))).toEqual(new Set([null]));
});
