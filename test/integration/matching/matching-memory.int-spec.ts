import pg from 'pg';
import { AgentSearchRows } from '../../../src/modules/matching/search-tables/agent-search-rows/agent-search-rows.js';
import { AgentIndexThread } from '../../../src/modules/matching/memory-search/agent-index-thread.js';
import {
  indexQueryOf,
  MemoryCandidateSource,
} from '../../../src/modules/matching/memory-search/memory-candidate-source.js';
import { CandidateFacts } from '../../../src/modules/matching/sql-search/candidate-facts.js';
import { PostingLists } from '../../../src/modules/matching/sql-search/posting-lists.js';
import { SqlCandidateSource } from '../../../src/modules/matching/sql-search/sql-candidate-source.js';
import { TEXT_CANDIDATES } from '../../../src/modules/matching/relevance/matching-limits.js';
import { noteWork } from '../../../src/modules/matching/search-tables/match-changes.js';
import { TrustRunEntity } from '../../../src/modules/reputation/runs/batch/trust-run.entity.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import { ChanceMarket, owner, TASKS } from './chance-market.js';
import { eventually } from '../../support/eventually.js';
import { lockedTable } from '../../support/locked-table.js';
import { MatchingSide } from '../../support/matching-side.js';
import { address, BUYER, NOW, RIVAL, STRANGER, taskId, WORKER } from '../../support/market-rows.js';
import { ReadSide } from '../../support/read-side.js';

const CONNECTION = 'tasktree-match-index';

/** The database as a source of candidates that counts how often it is asked. */
class CountedSource extends SqlCandidateSource {
  asked = 0;

  override begin() {
    this.asked += 1;
    return super.begin();
  }
}

let side: ReadSide;
let bySql: MatchingSide;
let chance: ChanceMarket;
let byMemory: MatchingSide;
let fallback: CountedSource;
/** Settings that only the thread uses. */
let environment: Environment;
let thread: AgentIndexThread;

beforeEach(async () => {
  side = await ReadSide.create();
  bySql = new MatchingSide(side);
  chance = new ChanceMarket(side, bySql);
  environment = Object.assign(new Environment(), side.environment, { matchingIndex: 'memory' });
  thread = new AgentIndexThread(environment, new Metrics());
  fallback = new CountedSource(
    new PostingLists(side.reads),
    new CandidateFacts(side.reads),
    new AgentSearchRows(side.reads, side.transactions),
  );
  // Only the first market handles events, so that each is handled once.
  const second = Object.assign(Object.create(ReadSide.prototype), side, { events: { on: () => undefined } });
  byMemory = new MatchingSide(second, new MemoryCandidateSource(thread, fallback));
});
afterEach(async () => {
  await thread.onModuleDestroy();
  await side.close();
});

async function start(): Promise<void> {
  thread.onApplicationBootstrap();
  await eventually(() => thread.isReady, 60_000);
}

const publish = (name: string, description = '', account = owner()): Promise<{ id: string }> =>
  chance.publish(name, description, account);
const settle = (n: number, agentId: string): Promise<void> => chance.settle(n, agentId);

/**
 * The agents for task n, after checking that both sources give the same ranking, whether or not the database answers in
 * place of the index.
 */
async function anyMatches(n = 1): Promise<string[]> {
  const task = await side.tasks.find(BUYER, taskId(n));
  const found = await byMemory.ranking.rankAgents(task, 1_000);
  expect(found).toEqual(await bySql.ranking.rankAgents(task, 1_000));
  return found.matches.map(({ candidate }) => candidate.agentId);
}

/**
 * The result of `work` from an attempt in which the index answered everything. The index follows changes by itself, and
 * in a small market nearly each change makes it load anew. Meanwhile, and whenever the machine is slow, the database
 * answers.
 */
async function fromMemory<T>(work: () => Promise<T>): Promise<T> {
  let result: T | undefined;
  await eventually(async () => {
    await eventually(() => thread.isReady);
    const { asked } = fallback;
    result = await work();
    return fallback.asked === asked;
  }, 60_000);
  return result as T;
}

/** The name of the statement that a connection was given, or its text if it has none. */
function nameOf(statement: unknown): string {
  const { name, text } = Object(statement) as { name?: string; text?: string };
  return name ?? text ?? String(statement);
}

const matches = (n?: number): Promise<string[]> => fromMemory(() => anyMatches(n));

describe('an index in memory', () => {
  it.each([1, 2])('gives the same pages as the database, seed %i', async (seed) => {
    await chance.populate(seed);
    await start();
    let found = 0;
    for (let n = 1; n <= TASKS; n += 1) {
      found += (await matches(n)).length;
      const page = (market: MatchingSide) => market.matching.list({ accountId: BUYER }, taskId(n), { limit: 100 });
      const { data } = await page(bySql);
      await fromMemory(async () => expect((await page(byMemory)).data).toEqual(data));
    }
    expect(found).toBeGreaterThan(100);
  });

  it('asks for a first page in four statements, for the same again in three, and for a further page in one', async () => {
    for (const name of ['one', 'two', 'three']) await publish(name, 'audit');
    await start();
    const sent = jest.spyOn(pg.Client.prototype, 'query');
    let n = 0;
    const page = async (cursor?: string) => {
      sent.mockClear();
      const asked = { limit: 1, ...(cursor ? { cursor } : {}) };
      const { next_page } = await byMemory.matching.list({ accountId: BUYER }, taskId(n), asked);
      return { next: next_page!, names: sent.mock.calls.map(([statement]) => nameOf(statement)).toSorted() };
    };
    // An agent counts as shown once per task, so each attempt uses a new task.
    const first = await fromMemory(async () => {
      n += 1;
      await side.task(n);
      return page();
    });
    expect(first.names).toEqual([
      'match_first_page_keep',
      'match_live_agents',
      'match_task_words',
      'task_visible_matched',
    ]);
    const again = await fromMemory(() => page());
    expect(again.names).toEqual(['match_live_agents', 'match_task_words', 'task_visible_matched']);
    expect((await page(again.next)).names).toEqual(['match_snapshot_page']);
    sent.mockRestore();
  });

  it('has what is published, changed and taken from the market in the very next match', async () => {
    await side.task(1);
    await start();
    expect(await matches()).toEqual([]);
    const { id } = await publish('Solidity audit');
    const second = await publish('Contract', 'audit', owner(RIVAL, 3));
    expect(new Set(await matches())).toEqual(new Set([id, second.id]));
    await bySql.agents.update(owner(), id, { name: 'Cook' });
    expect(await matches()).toEqual([second.id]);
    await bySql.agents.update(owner(), id, { name: 'Audits' });
    await bySql.agents.update(owner(RIVAL, 3), second.id, { status: 'inactive' });
    expect(await matches()).toEqual([id]);
    await bySql.agents.update(owner(), id, { status: 'retired' });
    expect(await matches()).toEqual([]);
  });

  it('has what an operator does to an agent in the database', async () => {
    await side.task(1);
    await start();
    const { id } = await publish('Solidity audit');
    expect(await matches()).toEqual([id]);
    await side.dataSource.query(`UPDATE agents SET status = 'suspended' WHERE id = '${id}'`);
    expect(await matches()).toEqual([]);
  });

  it('has what agents say of their availability, and when it ends', async () => {
    await side.task(1);
    await start();
    const { id } = await publish('Solidity audit');
    expect(await matches()).toEqual([id]);
    await bySql.agents.setAvailability(owner(), id, false, new Date('2026-11-20T13:00:00.000Z'));
    expect(await matches()).toEqual([]);
    side.clock.set('2026-11-20T12:59:59.999Z');
    expect(await matches()).toEqual([]);
    side.clock.set('2026-11-20T13:00:00.000Z');
    expect(await matches()).toEqual([id]);
  });

  it('has a settled brief as soon as it is settled, and has it no more when it is taken back', async () => {
    await side.task(1, { title: 'Translate', brief: 'Translate the manual of a pump', criteria: [] });
    await side.task(2, { title: 'Translate', brief: 'Translate the manual of a pump', criteria: [] });
    await start();
    const { id } = await publish('Linguist');
    expect(await matches()).toEqual([]);
    await settle(2, id);
    expect(await matches()).toEqual([id]);
    await side.transactions.run(async (manager) => {
      await manager.query('DELETE FROM settlements');
      await bySql.briefs.keep(manager, taskId(2), false);
    });
    expect(await matches()).toEqual([]);
  });

  it('has whoever else settles a brief, but for the task itself', async () => {
    const brief = { title: 'Translate', brief: 'Translate the manual of a pump', criteria: [] };
    await side.task(1, brief);
    await side.task(2, brief);
    const first = (await publish('Linguist')).id;
    const second = (await publish('Polyglot', '', owner(RIVAL, 3))).id;
    await start();
    await settle(2, first);
    expect(await matches()).toEqual([first]);
    await settle(2, second);
    expect(new Set(await matches())).toEqual(new Set([first, second]));
    await side.transactions.run(async (manager) => {
      await manager.query('DELETE FROM settlements WHERE agent_id = $1', [first]);
      await noteWork(manager, taskId(2), [first], new Date(NOW));
    });
    expect(await matches()).toEqual([second]);
    await settle(1, first);
    expect(await matches()).toEqual([second]);
    expect(await matches(2)).toEqual([first]);
  });

  it('has settled work only of other owners, and of independent buyers where the operator has named verified ones', async () => {
    await side.task(1, { title: 'Translate', brief: 'Translate the manual of a pump', criteria: [] });
    await side.task(2, { title: 'Translate', brief: 'Translate the manual of a pump', criteria: [] });
    const sql = (text: string): Promise<unknown> => side.dataSource.query(text);
    const { id } = await publish('Linguist');
    await settle(2, id);
    await start();
    expect(await matches()).toEqual([id]);
    await sql(`INSERT INTO account_clusters VALUES ('${WORKER}', 'c'), ('${STRANGER}', 'c')`);
    expect(await matches()).toEqual([]);
    await sql(`UPDATE account_clusters SET cluster_id = 'd' WHERE account_id = '${STRANGER}'`);
    expect(await matches()).toEqual([id]);
    const at = new Date(NOW);
    await side.insert(TrustRunEntity, { asOf: at, startedAt: at, status: 'finished', phase: 'done', anchors: 5 });
    expect(await matches()).toEqual([]);
    await sql(`INSERT INTO buyer_independence VALUES ('d', 0.49), ('${STRANGER}', 1)`);
    expect(await matches()).toEqual([]);
    await sql('UPDATE buyer_independence SET independence = 0.5');
    expect(await matches()).toEqual([id]);
    await sql('DELETE FROM account_clusters');
    expect(await matches()).toEqual([id]);
    await sql('DELETE FROM buyer_independence');
    expect(await matches()).toEqual([]);
  });

  it('hears nothing of a run that finds what the one before has found', async () => {
    const sql = (text: string): Promise<unknown> => side.dataSource.query(text);
    await sql(`INSERT INTO buyer_independence VALUES ('${STRANGER}', 1)`);
    const notes = (): Promise<unknown[]> => side.dataSource.query(`SELECT FROM match_changes WHERE kind = 'trust'`);
    expect(await notes()).toHaveLength(1);
    await sql(`DELETE FROM buyer_independence WHERE cluster_id = 'none'`);
    await sql(`UPDATE buyer_independence SET independence = 0 WHERE independence <> 1`);
    await sql(`DELETE FROM account_clusters WHERE account_id = ANY('{}')`);
    expect(await notes()).toHaveLength(1);
  });

  it('has records, clusters and impressions as whoever writes them has written them', async () => {
    await side.task(1);
    const sql = (text: string): Promise<unknown> => side.dataSource.query(text);
    const first = (await publish('Solidity audit')).id;
    const second = (await publish('Solidity audit', '', owner(RIVAL, 3))).id;
    await start();
    const order = async (): Promise<string[]> => (await matches()).map((id) => (id === first ? 'first' : 'second'));
    expect(await order()).toEqual(['first', 'second']);
    await sql(`INSERT INTO reputation_records (agent_id, score, independence_confidence, settled_value,
      independent_value, settlements, updated_at) VALUES ('${second}', 0.95, 0.4, 900, 300, 12, now())`);
    expect(await order()).toEqual(['second', 'first']);
    await sql(`UPDATE reputation_records SET score = 0.1, independent_value = 900`);
    expect(await order()).toEqual(['first', 'second']);
    await sql(`UPDATE reputation_records SET score = 0.99`);
    expect(await order()).toEqual(['second', 'first']);
    await sql('DELETE FROM reputation_records');
    expect(await order()).toEqual(['first', 'second']);
    await sql(`INSERT INTO agent_impressions VALUES ('${first}', 4)`);
    await matches();
    await sql('UPDATE agent_impressions SET impressions = 5');
    await matches();
    await sql(`INSERT INTO match_impressions VALUES ('${taskId(1)}', '${first}')`);
    await matches();
    await sql(`INSERT INTO account_clusters VALUES ('${WORKER}', 'c'), ('${BUYER}', 'c')`);
    expect(await order()).toEqual(['second']);
    await sql(`UPDATE account_clusters SET cluster_id = 'd' WHERE account_id = '${WORKER}'`);
    expect(await order()).toEqual(['first', 'second']);
    await sql(`UPDATE account_clusters SET cluster_id = 'c'`);
    expect(await order()).toEqual(['second']);
    await sql('DELETE FROM account_clusters');
    expect(await order()).toEqual(['first', 'second']);
  });

  it('hears of all records that one statement writes with one note', async () => {
    await side.task(1);
    const ids: string[] = [];
    for (let n = 0; n < 30; n += 1) ids.push((await publish(`Solidity audit ${n}`)).id);
    await start();
    await matches();
    const notes = (): Promise<{ agent_numbers: number[] }[]> =>
      side.dataSource.query(`SELECT agent_numbers FROM match_changes WHERE kind = 'facts'`);
    expect(await notes()).toEqual([]);
    const put = `INSERT INTO reputation_records AS known (agent_id, score, independence_confidence, settled_value, updated_at)
      SELECT id, 0.5 + number / 1000.0, 0, 0, now() FROM agents WHERE name LIKE 'Solidity%'
      ON CONFLICT (agent_id) DO UPDATE SET score = excluded.score WHERE known.score <> excluded.score`;
    await side.dataSource.query(put);
    expect((await notes()).map(({ agent_numbers }) => agent_numbers.length)).toEqual([ids.length]);
    // Writing the same values again adds no note.
    await side.dataSource.query(put);
    expect(await notes()).toHaveLength(1);
    expect(await matches()).toHaveLength(ids.length);
  });

  it('leaves out who is behind the buyer, also when they alone would fill it', async () => {
    await side.task(1);
    await side.dataSource.query(`INSERT INTO account_clusters VALUES ('${BUYER}', 'c'), ('${RIVAL}', 'c')`);
    // As many agents as the text search looks at, each more relevant than the others: the buyer's own, those of another
    // account of its cluster, and those of a stranger with the buyer's wallet.
    const own: { id: string }[] = await side.dataSource.query(
      `INSERT INTO agents (id, account_id, name, description, agent_card_url, capabilities, status, available,
          wallet_address, created_at, updated_at, search)
        SELECT 'agent_own' || n, ($1::text[])[1 + n % 3], 'Audit', '', 'https://x', '{}', 'active', true,
          ($2::text[])[1 + n % 3], $3, $3, setweight(to_tsvector('english', 'audit audit'), 'A')
        FROM generate_series(1, $4::integer) AS n RETURNING id`,
      [[BUYER, RIVAL, STRANGER], [address(8), address(9), address(1)], NOW, TEXT_CANDIDATES],
    );
    await side.transactions.run((manager) =>
      bySql.postings.write(
        manager,
        own.map((agent) => agent.id),
      ),
    );
    const { id } = await publish('Audit', 'and much else that is of no use here');
    await start();
    expect(await matches()).toEqual([id]);
  });

  it('follows an agent to the buyer’s account or wallet, and away again', async () => {
    await side.task(1);
    const { id } = await publish('Audit');
    await start();
    const change = async (set: string, value: string): Promise<string[]> => {
      await side.dataSource.query(`UPDATE agents SET ${set} = $1 WHERE id = $2`, [value, id]);
      return matches();
    };
    expect(await matches()).toEqual([id]);
    expect(await change('wallet_address', address(1))).toEqual([]);
    expect(await change('wallet_address', address(77))).toEqual([id]);
    expect(await change('account_id', BUYER)).toEqual([]);
    expect(await change('account_id', STRANGER)).toEqual([id]);
  });

  it('follows impacts of other averages', async () => {
    await chance.populate(3);
    await start();
    await matches();
    await side.dataSource.query(`UPDATE match_statistics SET name_length = 40, rest_length = 1`);
    await bySql.runner.refresh(true);
    for (let n = 1; n <= TASKS; n += 1) await matches(n);
  });

  it('sees a change that was written before others and committed after them', async () => {
    await side.task(1);
    await start();
    const { id } = await publish('Solidity audit');
    const slow = side.dataSource.createQueryRunner();
    await slow.startTransaction();
    await slow.query(`INSERT INTO match_changes (transaction_id, kind, agent_number, created_at)
      SELECT pg_current_xact_id()::text::bigint, 'texts', number, now() FROM agents WHERE id = '${id}'`);
    await slow.query(`UPDATE agents SET available = false WHERE id = '${id}'`);
    const second = await publish('Contract', 'audit', owner(RIVAL, 3));
    expect(await matches()).toHaveLength(2);
    await slow.commitTransaction();
    await slow.release();
    expect(await matches()).toEqual([second.id]);
  });
});

describe('without its index', () => {
  it('the database answers, until it is loaded', async () => {
    await side.task(1);
    const { id } = await publish('Solidity audit');
    expect(await anyMatches()).toEqual([id]);
    expect(fallback.asked).toBe(1);
    await start();
    expect(await matches()).toEqual([id]);
  });

  it('the database answers when its thread dies, and the next thread knows what has changed in between', async () => {
    await side.task(1);
    await start();
    const { id } = await publish('Solidity audit');
    expect(await matches()).toEqual([id]);
    // The next thread ends at once until it can reach the database again.
    environment.databaseUrl = 'postgres://127.0.0.1:1/none';
    await side.dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${CONNECTION}'
        AND datname = current_database()`,
    );
    await eventually(() => !thread.isReady);
    const { id: second } = await publish('Contract', 'audit', owner(RIVAL, 3));
    const { asked } = fallback;
    expect(new Set(await anyMatches())).toEqual(new Set([id, second]));
    expect(fallback.asked).toBe(asked + 1);
    environment.databaseUrl = side.environment.databaseUrl;
    await eventually(() => thread.isReady, 60_000);
    expect(await matches()).toHaveLength(2);
  });

  it('the database answers at once while the index is known to be behind', async () => {
    await side.task(1);
    const { id } = await publish('Solidity audit');
    await start();
    const { query } = await bySql.queries.queryFor(await side.tasks.find(BUYER, taskId(1)));
    const search = (): Promise<unknown> => thread.search(indexQueryOf(query), thread.startReading());
    await lockedTable(side.dataSource, 'match_changes', async () => {
      expect(await search()).toBeNull();
      const began = performance.now();
      for (let n = 0; n < 50; n += 1) expect(await search()).toBeNull();
      // The first search has waited 200 ms. If each of these waited too, they would take 10 seconds.
      expect(performance.now() - began).toBeLessThan(8_000);
    });
    expect(await matches()).toEqual([id]);
  });

  it('a process that is to match in SQL starts no thread', async () => {
    environment.matchingIndex = 'sql';
    thread.onApplicationBootstrap();
    const rows = await side.dataSource.query(
      `SELECT FROM pg_stat_activity WHERE application_name = '${CONNECTION}' AND datname = current_database()`,
    );
    expect([thread.isReady, rows]).toEqual([false, []]);
  });
});
