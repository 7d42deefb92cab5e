import { BRIEFS_PER_WORD, BRIEFS_READ } from '../../../src/modules/matching/relevance/matching-limits.js';
import { settledAgents } from '../../../src/modules/matching/search-tables/settled-briefs/settled-agents.js';
import { SETTLED_AGENTS } from '../../../src/modules/matching/search-tables/settled-briefs/settled-agents.sql.js';
import {
  CHOOSE_SEARCHED,
  JUDGED_AFTER,
  UNJUDGED,
} from '../../../src/modules/matching/search-tables/settled-briefs/searched-briefs.sql.js';
import { BRIEF_LISTS } from '../../../src/modules/matching/sql-search/posting-lists.sql.js';
import { TrustRunEntity } from '../../../src/modules/reputation/runs/batch/trust-run.entity.js';
import { SettlementEntity } from '../../../src/modules/reputation/settlements/settlement.entity.js';
import { MatchingSide } from '../../support/matching-side.js';
import { address, NOW, RIVAL, settlementRow, STRANGER, taskId, WORKER } from '../../support/market-rows.js';
import { planOf } from '../../support/query-plan.js';
import { ReadSide } from '../../support/read-side.js';
import { sentStatements } from '../../support/sent-statements.js';
import { vacuumed } from '../../support/vacuumed.js';

const BRIEF = { title: 'Translate a manual', brief: 'Translate the manual of a pump into German', criteria: [] };

let side: ReadSide;
let market: MatchingSide;

beforeEach(async () => {
  side = await ReadSide.create();
  market = new MatchingSide(side);
});
afterEach(() => side.close());

const keep = (n: number, isSettled: boolean): Promise<void> =>
  side.transactions.run((manager) => market.briefs.keep(manager, taskId(n), isSettled));

async function settled(n: number, change: Partial<SettlementEntity> = {}): Promise<void> {
  await side.task(n, BRIEF);
  await side.insert(SettlementEntity, settlementRow(n, change));
  await keep(n, true);
}

/** The tasks whose briefs are searched, in the lists of words too. */
async function searched(): Promise<string[]> {
  const briefs = await side.dataSource.query(`SELECT task_id, is_searched,
    (SELECT array_agg(DISTINCT is_searched) FROM match_brief_postings WHERE brief_number = number) AS lists
    FROM match_briefs ORDER BY number`);
  for (const { is_searched: is, lists } of briefs) expect(lists).toEqual([is]);
  return briefs.flatMap((brief: { task_id: string; is_searched: boolean }) =>
    brief.is_searched ? [brief.task_id] : [],
  );
}

async function judged(): Promise<void> {
  while (await market.briefs.judgeNext());
}

describe('of equal settled briefs', () => {
  it('the oldest is searched, and the next when its settlement is taken back', async () => {
    for (const n of [1, 2, 3]) await settled(n);
    expect(await searched()).toEqual([taskId(1)]);
    await keep(2, false);
    expect(await searched()).toEqual([taskId(1)]);
    await keep(1, false);
    expect(await searched()).toEqual([taskId(3)]);
    await keep(3, false);
    expect(await searched()).toEqual([]);
  });

  it('one that counts for nobody is searched only until it is judged, and again when another work is settled', async () => {
    await settled(1, { payerAccountId: WORKER });
    await settled(2);
    expect(await searched()).toEqual([taskId(1)]);
    await judged();
    expect(await searched()).toEqual([taskId(2)]);
    await side.insert(SettlementEntity, { ...settlementRow(1), nodeId: 'node_second' });
    await keep(1, true);
    await judged();
    expect(await searched()).toEqual([taskId(1)]);
  });

  it('none is searched that counts for nobody, by the newest trust run', async () => {
    const run = async (anchors: number): Promise<void> => {
      const at = new Date(NOW);
      await side.insert(TrustRunEntity, { asOf: at, startedAt: at, status: 'finished', phase: 'done', anchors });
      await judged();
    };
    await settled(1, { payerAccountId: RIVAL, payerWallet: address(13) });
    await settled(2);
    await run(0);
    expect(await searched()).toEqual([taskId(1)]);
    await side.dataSource.query(`INSERT INTO account_clusters VALUES ('${WORKER}', 'c'), ('${RIVAL}', 'c')`);
    await judged();
    expect(await searched()).toEqual([taskId(1)]);
    await run(0);
    expect(await searched()).toEqual([taskId(2)]);
    await run(5);
    expect(await searched()).toEqual([]);
    await side.dataSource.query(`INSERT INTO buyer_independence VALUES ('${STRANGER}', 0.5)`);
    await run(5);
    expect(await searched()).toEqual([taskId(2)]);
  });

  it('one that has other words than before makes room for the next, and is searched for its own', async () => {
    await settled(1);
    await settled(2);
    await side.dataSource.query(`UPDATE tasks SET brief = 'Bake a cake' WHERE id = $1`, [taskId(1)]);
    await market.runner.refresh(true);
    expect(await searched()).toEqual([taskId(1), taskId(2)]);
  });

  it('those of before the migration are told apart by the first refresh', async () => {
    for (const n of [1, 2, 3]) await settled(n);
    await side.dataSource.query('UPDATE match_briefs SET words_digest = NULL, counts = NULL, is_searched = true');
    await side.dataSource.query('UPDATE match_brief_postings SET is_searched = true');
    await side.dataSource.query('UPDATE match_statistics SET brief_version = brief_version + 1');
    await market.runner.refresh();
    expect(await searched()).toEqual([taskId(1)]);
  });
});

it('reads no more similar briefs than its limit while none counts', async () => {
  const similar = Array.from({ length: BRIEFS_READ + 1 }, (_, at) => at + 1);
  const lengths: number[] = [];
  const first = (most: number): number[] => {
    lengths.push(most);
    return similar.slice(0, most);
  };
  const sent = sentStatements(SETTLED_AGENTS.name);
  const query = { taskId: taskId(1), brief: [{ termId: 1, weight: 1 }], anchored: false };
  expect(await settledAgents(side.reads, query, first)).toEqual(new Map());
  expect(lengths).toEqual([125, 500, 1625, BRIEFS_READ]);
  expect(sent()).toBe(lengths.length);
});

it('reads lists of words, equal briefs and the next to judge from indexes, among many briefs with few copies', async () => {
  await settled(1);
  // A template that was used very often, copies that count for nobody, and many briefs of one use.
  await side.dataSource.query(`INSERT INTO match_briefs (task_id, version, words_digest, counts, is_searched)
    SELECT 'task_of_' || n, 0, CASE WHEN n <= 5000 THEN '\\x01' ELSE decode(md5(n::text), 'hex') END, n % 2 = 0, n % 2 = 0 AND (n = 2 OR n > 5000)
    FROM generate_series(1, 30000) AS n`);
  await side.dataSource.query(`INSERT INTO match_brief_postings (brief_number, term_id, weight, is_searched)
    SELECT number, term, 100, is_searched FROM match_briefs
    CROSS JOIN LATERAL unnest(ARRAY[1, 1000 + number % 300]) AS term WHERE task_id LIKE 'task_of_%'`);
  await side.dataSource.query(`INSERT INTO settlements
    SELECT made.* FROM settlements own, generate_series(1, 30000) AS n,
      jsonb_populate_record(own, jsonb_build_object('task_id', 'task_of_' || n, 'node_id', 'node_of_' || n)) AS made`);
  await vacuumed(side.dataSource);
  const plan = (text: string, values: unknown[]) => planOf(side.dataSource, text, values, []);

  const lists = await plan(BRIEF_LISTS.text, [
    [1, 1007],
    [BRIEFS_PER_WORD, BRIEFS_PER_WORD],
  ]);
  expect(lists.scans).toContain(
    'Index Only Scan using match_brief_postings_term_id_weight_idx on match_brief_postings',
  );
  expect(lists.nodes.filter((node) => /Sort|Seq Scan/.test(node['Node Type']))).toEqual([]);
  const template = await side.dataSource.query(`SELECT number FROM match_briefs WHERE task_id = 'task_of_2'`);
  const settledBy = await plan(SETTLED_AGENTS.text, [[1], [1], taskId(1), true, [template[0].number]]);
  expect(settledBy.scans.join('\n')).toContain('match_briefs_equal_idx');
  const chosen = await plan(CHOOSE_SEARCHED.text, [['01']]);
  const next = await plan(JUDGED_AFTER.text, [15_000]);
  const fresh = await plan(UNJUDGED.text, []);
  expect(fresh.scans.join('\n')).toContain('match_briefs_unjudged_idx');
  for (const { scanned } of [lists, settledBy, chosen, next, fresh]) {
    for (const table of ['match_briefs', 'match_brief_postings', 'settlements']) expect(scanned).not.toContain(table);
  }
}, 120_000);
