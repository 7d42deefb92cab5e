import { AgentIndexThread } from '../../../src/modules/matching/memory-search/agent-index-thread.js';
import { MemoryCandidateSource } from '../../../src/modules/matching/memory-search/memory-candidate-source.js';
import type { CandidateSearch } from '../../../src/modules/matching/ranking/candidate-source.js';
import {
  BRIEFS_PER_WORD,
  BRIEFS_READ_FIRST,
  SIMILAR_BRIEFS,
} from '../../../src/modules/matching/relevance/matching-limits.js';
import { AgentSearchRows } from '../../../src/modules/matching/search-tables/agent-search-rows/agent-search-rows.js';
import { noteWork } from '../../../src/modules/matching/search-tables/match-changes.js';
import { CandidateFacts } from '../../../src/modules/matching/sql-search/candidate-facts.js';
import { PostingLists } from '../../../src/modules/matching/sql-search/posting-lists.js';
import { SqlCandidateSource } from '../../../src/modules/matching/sql-search/sql-candidate-source.js';
import { SettlementEntity } from '../../../src/modules/reputation/settlements/settlement.entity.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import { eventually } from '../../support/eventually.js';
import { MatchingSide } from '../../support/matching-side.js';
import { address, BUYER, NOW, RIVAL, settlementRow, taskId } from '../../support/market-rows.js';
import { ReadSide } from '../../support/read-side.js';

/** Stands where the database would answer in place of the index, so that only the index answers here. */
class NoSource extends SqlCandidateSource {
  override begin(): CandidateSearch {
    return () => Promise.reject(new Error('The index does not answer.'));
  }
}

const BRIEF = { title: 'Translate a manual', brief: 'Translate the manual of a pump into German', criteria: [] };

let side: ReadSide;
let bySql: MatchingSide;
let byMemory: MatchingSide;
let thread: AgentIndexThread;

beforeEach(async () => {
  side = await ReadSide.create();
  bySql = new MatchingSide(side);
  const environment = Object.assign(new Environment(), side.environment, { matchingIndex: 'memory' });
  thread = new AgentIndexThread(environment, new Metrics());
  // Only the first market handles events, so that each is handled once.
  const second = Object.assign(Object.create(ReadSide.prototype), side, { events: { on: () => undefined } });
  const none = new NoSource(
    new PostingLists(side.reads),
    new CandidateFacts(side.reads),
    new AgentSearchRows(side.reads, side.transactions),
  );
  byMemory = new MatchingSide(second, new MemoryCandidateSource(thread, none));
  await side.task(1, BRIEF);
});
afterEach(async () => {
  await thread.onModuleDestroy();
  await side.close();
});

/** Settles a task, by default with the same brief as task 1. A higher n settles later. */
async function settled(
  n: number,
  change: Partial<SettlementEntity> = {},
  brief: Partial<typeof BRIEF> = {},
): Promise<void> {
  await side.task(n, { ...BRIEF, ...brief });
  await side.insert(SettlementEntity, settlementRow(n, change));
  await side.transactions.run(async (manager) => {
    await bySql.briefs.keep(manager, taskId(n), true);
    await noteWork(manager, taskId(n), [change.agentId ?? 'agent_worker'], new Date(NOW));
  });
}

/** Settles as many tasks again like task 2, each with these words after its brief, as the index does while it catches up. */
async function settledAgain(count: number, words: string): Promise<void> {
  const copy = (table: string, change: string): string => `INSERT INTO ${table} SELECT made.* FROM ${table} own,
    generate_series(1001, ${1000 + count}) AS n, jsonb_populate_record(own, ${change}) AS made`;
  const id = `'task_copy_' || n`;
  await side.dataSource.query(
    `${copy('tasks', `jsonb_build_object('id', ${id}, 'escrow_address', ${id}, 'brief', own.brief || replace($2, '#', n::text))`)} WHERE own.id = $1`,
    [taskId(2), words],
  );
  await side.dataSource.query(
    `${copy('settlements', `jsonb_build_object('task_id', ${id}, 'node_id', 'node_' || n)`)} WHERE own.task_id = $1`,
    [taskId(2)],
  );
  await side.dataSource.query(
    `INSERT INTO match_briefs (task_id) SELECT id FROM tasks WHERE id LIKE 'task_copy_%' ORDER BY id`,
  );
}

const RIVALS = { agentId: 'agent_rival', workerAccountId: RIVAL, workerWallet: address(13) };

async function similarities(market: MatchingSide): Promise<Record<string, number>> {
  const { matches } = await market.ranking.rankAgents(await side.tasks.find(BUYER, taskId(1)), 100);
  return Object.fromEntries(
    matches.map(({ candidate }) => [candidate.agentId, Math.round(candidate.similarity * 100) / 100]),
  );
}

/** The similarities that both sources find, by agent. */
async function found(): Promise<Record<string, number>> {
  // All briefs are equal, so the refresh gives them the weights that the last of them has.
  await bySql.runner.refresh(true);
  thread.onApplicationBootstrap();
  let byIndex: Record<string, number> = {};
  await eventually(async () => {
    try {
      byIndex = await similarities(byMemory);
      return true;
    } catch {
      return false;
    }
  }, 60_000);
  expect(byIndex).toEqual(await similarities(bySql));
  return byIndex;
}

describe('among many equal settled briefs', () => {
  it.each([SIMILAR_BRIEFS, 3 * SIMILAR_BRIEFS])('%i that an agent paid itself hide no honest one', async (count) => {
    for (let n = 2; n < 2 + count; n += 1) await settled(n, { ...RIVALS, payerAccountId: RIVAL });
    await settled(2 + count);
    expect(await found()).toEqual({ agent_worker: expect.closeTo(1, 1) });
  });

  it('the agent of the last one counts like that of the others', async () => {
    for (let n = 2; n < 2 + SIMILAR_BRIEFS; n += 1) await settled(n);
    await settled(2 + SIMILAR_BRIEFS, RIVALS);
    expect(await found()).toEqual({ agent_worker: expect.closeTo(1, 1), agent_rival: expect.closeTo(1, 1) });
  });

  it('the agent of the first one counts like that of the others', async () => {
    await settled(2, RIVALS);
    for (let n = 3; n < 3 + SIMILAR_BRIEFS; n += 1) await settled(n);
    expect(await found()).toEqual({ agent_worker: expect.closeTo(1, 1), agent_rival: expect.closeTo(1, 1) });
  });
});

describe(`among more than ${BRIEFS_PER_WORD} settled briefs with the heaviest words`, () => {
  // In a market where few others have these words, so that they weigh something.
  beforeEach(() =>
    side.dataSource.query('INSERT INTO match_lengths SELECT n, 5, 5 FROM generate_series(100000, 119999) AS n'),
  );

  const SELF_PAID = { ...RIVALS, payerAccountId: RIVAL };
  const LESS_SIMILAR = { brief: 'Translate the manual of a pump into German, with drawings and tables' };

  it.each([
    ['copies', ''],
    ['variants', ' x#'],
  ])('%s that an agent paid itself hide no honest one', async (_, words) => {
    await settled(2, SELF_PAID);
    await settledAgain(BRIEFS_PER_WORD, words);
    await settled(3, {}, LESS_SIMILAR);
    const byAgent = await found();
    expect(Object.keys(byAgent)).toEqual(['agent_worker']);
    expect(byAgent.agent_worker).toBeGreaterThan(0.3);
  });

  it('copies that others have paid count as one, and leave room for others', async () => {
    await settled(2);
    await settledAgain(BRIEFS_PER_WORD, '');
    await settled(3, RIVALS, LESS_SIMILAR);
    expect(Object.keys(await found()).sort()).toEqual(['agent_rival', 'agent_worker']);
  });

  it('one that an agent paid itself leads none of those that others have paid', async () => {
    await settled(2, SELF_PAID);
    await settledAgain(BRIEFS_PER_WORD, '');
    await settled(3);
    expect(await found()).toEqual({ agent_worker: expect.closeTo(1, 1) });
  });

  it.each([1, 4])('%i times as many as a search in SQL reads first hide none before they are judged', async (times) => {
    await settled(2, SELF_PAID);
    await settledAgain(times * BRIEFS_READ_FIRST, ' x#');
    await settled(3, {}, LESS_SIMILAR);
    while (await bySql.briefs.weighNext());
    expect(Object.keys(await similarities(bySql))).toEqual(['agent_worker']);
  });
});

it('settled briefs are weighed once the index has caught up, not while it does', async () => {
  const unweighed = async (): Promise<number> =>
    (await side.dataSource.query('SELECT FROM match_briefs WHERE version < 0')).length;
  const round = (): Promise<void> => bySql.runner['round'](new AbortController().signal);
  await settled(2);
  await bySql.runner.refresh();
  await settledAgain(3, ' x#');
  await side.dataSource.query(
    `INSERT INTO unpublished_trees (task_id, block_number, is_apart, version, retry_at, created_at)
     SELECT 'task_' || n, 0, n > 51, 1, now(), now() FROM generate_series(1, 60) AS n`,
  );
  await round();
  expect(await unweighed()).toBe(3);
  await side.dataSource.query(`DELETE FROM unpublished_trees WHERE task_id = 'task_1'`);
  await round();
  expect(await unweighed()).toBe(0);
});
