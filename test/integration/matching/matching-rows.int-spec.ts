import { AgentSearchRows } from '../../../src/modules/matching/search-tables/agent-search-rows/agent-search-rows.js';
import { CandidateFacts } from '../../../src/modules/matching/sql-search/candidate-facts.js';
import { KEPT_CANDIDATES } from '../../../src/modules/matching/sql-search/candidates.sql.js';
import { PostingLists } from '../../../src/modules/matching/sql-search/posting-lists.js';
import { SqlCandidateSource } from '../../../src/modules/matching/sql-search/sql-candidate-source.js';
import { EscrowNodeEntity } from '../../../src/modules/escrow/node/escrow-node.entity.js';
import { noteWork } from '../../../src/modules/matching/search-tables/match-changes.js';
import { MatchChangesSweeper } from '../../../src/modules/matching/search-tables/match-changes.sweeper.js';
import { MOST_PENDING } from '../../../src/modules/matching/relevance/matching-limits.js';
import { ChanceMarket, owner, TASKS } from './chance-market.js';
import { eventually } from '../../support/eventually.js';
import { MatchingSide } from '../../support/matching-side.js';
import { address, BUYER, nodeRow, RIVAL, taskId, WORKER } from '../../support/market-rows.js';
import { ReadSide } from '../../support/read-side.js';

/** Rows that are never trusted, so that everything is read from the original tables. */
class NoRows extends AgentSearchRows {
  override pending(): Promise<null> {
    return Promise.resolve(null);
  }
}

let side: ReadSide;
let rows: AgentSearchRows;
let byRows: MatchingSide;
let byTables: MatchingSide;
let chance: ChanceMarket;

function market(own: ReadSide, trusted: AgentSearchRows): MatchingSide {
  return new MatchingSide(
    own,
    new SqlCandidateSource(new PostingLists(side.reads), new CandidateFacts(side.reads), trusted),
  );
}

beforeEach(async () => {
  side = await ReadSide.create();
  rows = new AgentSearchRows(side.reads, side.transactions);
  byTables = market(side, new NoRows(side.reads, side.transactions));
  // Only the first market handles events, so that each is handled once.
  byRows = market(Object.assign(Object.create(ReadSide.prototype), side, { events: { on: () => undefined } }), rows);
  chance = new ChanceMarket(side, byTables);
});
afterEach(() => side.close());

const sql = <Row extends object>(text: string): Promise<Row[]> => side.dataSource.query(text);
const follow = (): Promise<void> => rows.follow(new AbortController().signal);

/** The agents for task n, after checking that rows and tables give the same ranking. */
async function matches(n = 1): Promise<string[]> {
  const task = await side.tasks.find(BUYER, taskId(n));
  const found = await byRows.ranking.rankAgents(task, 1_000);
  expect(found).toEqual(await byTables.ranking.rankAgents(task, 1_000));
  return found.matches.map(({ candidate }) => candidate.agentId);
}

/** The agents for task n, after checking that they are the same before the rows have followed and afterwards. */
async function soonAndLater(n = 1): Promise<string[]> {
  const soon = await matches(n);
  await follow();
  expect(await rows.pending()).toEqual(new Set());
  expect(await matches(n)).toEqual(soon);
  return soon;
}

const written = () => sql('SELECT * FROM match_agents ORDER BY number');

describe('the rows of agents', () => {
  it.each([1, 2])('give the same pages as the tables, seed %i', async (seed) => {
    await chance.populate(seed);
    await follow();
    const asked = jest.spyOn(side.reads, 'query');
    let found = 0;
    for (let n = 1; n <= TASKS; n += 1) {
      found += (await matches(n)).length;
      const page = (of: MatchingSide) => of.matching.list({ accountId: BUYER }, taskId(n), { limit: 100 });
      const { data } = await page(byTables);
      expect((await page(byRows)).data).toEqual(data);
    }
    expect(found).toBeGreaterThan(100);
    expect(asked.mock.calls.filter(([name]) => name === KEPT_CANDIDATES.name).length).toBeGreaterThanOrEqual(TASKS);
    // The rows of agents that were shown have changed meanwhile; all rows must equal those made from nothing.
    await follow();
    const before = await written();
    await sql('TRUNCATE match_agents');
    await sql('UPDATE match_agents_state SET applied = NULL');
    await follow();
    expect(await written()).toEqual(before);
    expect(before.length).toBeGreaterThan(100);
  });

  it('are trusted for nothing that has changed since, whoever has changed it', async () => {
    await side.task(1);
    const first = (await chance.publish('Solidity audit')).id;
    const second = (await chance.publish('Solidity audit', '', owner(RIVAL, 3))).id;
    const order = async (): Promise<string[]> =>
      (await soonAndLater()).map((id) => (id === first ? 'first' : 'second'));
    expect(await order()).toEqual(['first', 'second']);
    const steps: [change: () => Promise<unknown>, expected: string[]][] = [
      [() => byTables.agents.update(owner(), first, { name: 'Cook' }), ['second']],
      [() => byTables.agents.update(owner(), first, { name: 'Solidity audit' }), ['first', 'second']],
      [() => byTables.agents.setAvailability(owner(), first, false), ['second']],
      [() => byTables.agents.setAvailability(owner(), first, true), ['first', 'second']],
      [() => byTables.agents.update(owner(), first, { status: 'inactive' }), ['second']],
      [() => byTables.agents.update(owner(), first, { status: 'active' }), ['first', 'second']],
      [() => sql(`UPDATE agents SET status = 'suspended' WHERE id = '${second}'`), ['first']],
      [() => sql(`UPDATE agents SET status = 'active' WHERE id = '${second}'`), ['first', 'second']],
      [() => sql(`UPDATE agents SET wallet_address = '${address(1)}' WHERE id = '${second}'`), ['first']],
      [() => sql(`UPDATE agents SET wallet_address = '${address(3)}' WHERE id = '${second}'`), ['first', 'second']],
      [
        () =>
          sql(`INSERT INTO reputation_records (agent_id, score, independence_confidence, settled_value,
            independent_value, settlements, updated_at) VALUES ('${second}', 0.95, 0.4, 900, 300, 12, now())`),
        ['second', 'first'],
      ],
      [() => sql('UPDATE reputation_records SET score = 0.1'), ['first', 'second']],
      [() => sql('DELETE FROM reputation_records'), ['first', 'second']],
      [() => sql(`INSERT INTO agent_impressions VALUES ('${first}', 4)`), ['first', 'second']],
      [() => sql(`INSERT INTO match_impressions VALUES ('${taskId(1)}', '${first}')`), ['first', 'second']],
      [() => sql(`INSERT INTO account_clusters VALUES ('${WORKER}', 'c'), ('${BUYER}', 'c')`), ['second']],
      [() => sql('DELETE FROM account_clusters'), ['first', 'second']],
      [() => sql(`DELETE FROM agents WHERE id = '${second}'`), ['first']],
    ];
    for (const [change, expected] of steps) {
      await change();
      expect(await order()).toEqual(expected);
    }
    expect(await sql(`SELECT id FROM match_agents WHERE id IN ('${first}', '${second}')`)).toEqual([{ id: first }]);
  });

  it('know who is busy', async () => {
    await side.task(1);
    await side.task(2);
    const { id } = await chance.publish('Solidity audit');
    await follow();
    await side.transactions.run(async (manager) => {
      await side.insert(EscrowNodeEntity, nodeRow(1n, { taskId: taskId(2), workerAgentId: id }));
      await noteWork(manager, taskId(2), [id], side.clock.now());
    });
    await soonAndLater();
    const [row] = await sql<{ live_nodes: number }>(`SELECT live_nodes FROM match_agents WHERE id = '${id}'`);
    expect(row).toEqual({ live_nodes: 1 });
  });

  it('follow impacts of other averages', async () => {
    await chance.populate(3);
    await follow();
    await sql('UPDATE match_statistics SET name_length = 40, rest_length = 1');
    await byTables.runner.refresh(true);
    expect(await rows.pending()).toBeNull();
    for (let n = 1; n <= TASKS; n += 1) await soonAndLater(n);
  });
});

describe('changes that rows do not have', () => {
  it('are also those that were written before others and committed after them', async () => {
    await side.task(1);
    const { id } = await chance.publish('Solidity audit');
    await follow();
    const slow = side.dataSource.createQueryRunner();
    await slow.startTransaction();
    await slow.query(`UPDATE agents SET available = false WHERE id = '${id}'`);
    const second = await chance.publish('Contract', 'audit', owner(RIVAL, 3));
    // A long transaction does not keep the changes of others from being followed either.
    expect(await soonAndLater()).toHaveLength(2);
    await slow.commitTransaction();
    await slow.release();
    expect(await soonAndLater()).toEqual([second.id]);
  });

  it('are all, until the rows were filled, and when they came with a copy of another database', async () => {
    await side.task(1);
    const { id } = await chance.publish('Solidity audit');
    expect(await rows.pending()).toBeNull();
    await follow();
    await sql(`UPDATE match_agents SET status = 'retired'`);
    await sql(`UPDATE match_agents_state SET applied = '900000000000:900000000000:'`);
    expect(await rows.pending()).toBeNull();
    expect(await soonAndLater()).toEqual([id]);
  });

  it('are all when they are too many', async () => {
    await follow();
    const noted = (count: number) =>
      sql(`INSERT INTO match_changes (transaction_id, kind, agent_numbers, created_at)
        SELECT pg_current_xact_id()::text::bigint, 'facts', array_agg(n), now() FROM generate_series(1, ${count}) AS n`);
    await noted(MOST_PENDING);
    expect((await rows.pending())?.size).toBe(MOST_PENDING);
    await noted(1);
    expect(await rows.pending()).toBeNull();
    await follow();
    expect(await rows.pending()).toEqual(new Set());
  });

  it('are kept for them, however long it takes, and no longer', async () => {
    await side.task(1);
    const { id } = await chance.publish('Solidity audit');
    await follow();
    await byTables.agents.setAvailability(owner(), id, false);
    await sql(`UPDATE match_changes SET created_at = '2020-01-01'`);
    const sweeper = new MatchChangesSweeper(side.dataSource, side.clock);
    await sweeper.sweep();
    expect((await rows.pending())?.size).toBe(1);
    expect(await soonAndLater()).toEqual([]);
    // Old changes are kept until every transaction of the server is over, including those of other specs' databases.
    await eventually(async () => {
      await byTables.agents.setAvailability(owner(), id, false);
      await follow();
      await sweeper.sweep();
      return (await sql(`SELECT FROM match_changes WHERE created_at < '2021-01-01'`)).length === 0;
    });
  });

  it('are followed once by several processes at the same moment, and by the next one when one ends', async () => {
    await chance.populate(4);
    const ended = new AbortController();
    ended.abort();
    await rows.follow(ended.signal);
    expect(await written()).toEqual([]);
    await Promise.all([follow(), follow(), follow(), follow()]);
    expect(await rows.pending()).toEqual(new Set());
    for (let n = 1; n <= TASKS; n += 1) await matches(n);
  });
});
