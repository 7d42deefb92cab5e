import type { DataSource } from 'typeorm';
import { clearOwn, countOwn, deleteOwn } from '../../../src/tools/accounts/account-erasure.sql.js';
import { PERSONAL_TABLES } from '../../../src/tools/accounts/personal-tables.js';
import { createMigratedDatabase } from '../../support/database.js';
import { PlannedStatement } from '../../support/query-plan.js';

let dataSource: DataSource;

beforeAll(async () => {
  ({ dataSource } = await createMigratedDatabase());
});
afterAll(() => dataSource?.destroy());

/** The planner reads tables as empty as these ones as a whole, whatever indexes there are; so it may not. */
const SETTINGS = ['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off'];

/** Tables whose rows stay for an hour at most, or until the chain has gone on, so that all of them may be read. */
const SHORT_LIVED: ReadonlySet<string> = new Set(['chain_events', 'event_outbox', 'wallet_challenges']);

/** Tables and indexes that a statement reads as a whole. */
async function readWhole(text: string, values: unknown[]): Promise<string[]> {
  const statement = await PlannedStatement.prepare(dataSource, text, SETTINGS);
  const { nodes } = await statement.plan(values);
  await statement.close();
  return nodes
    .filter((node) => node['Node Type'] === 'Seq Scan' || /^Index.* Scan/.test(node['Node Type']))
    .filter((node) => node['Index Cond'] === undefined)
    .flatMap((node) => node['Relation Name'] ?? [])
    .filter((table) => !SHORT_LIVED.has(table));
}

it.each(PERSONAL_TABLES)('what $table holds about one account is found without reading all of a table', async (own) => {
  const { table, of, deleted, cleared } = own;
  expect(await readWhole(countOwn(table, of), ['acct_1'])).toEqual([]);
  // Here the planner puts the few rows of the books into a hash, which no setting forbids it.
  if (deleted !== undefined && table !== 'prepared_actions')
    expect(await readWhole(deleteOwn(table, of, deleted), ['acct_1'])).toEqual([]);
  if (cleared !== undefined) expect(await readWhole(clearOwn(table, of, cleared), ['acct_1'])).toEqual([]);
});
