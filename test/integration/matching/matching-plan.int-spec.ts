import { AgentSearchRows } from '../../../src/modules/matching/search-tables/agent-search-rows/agent-search-rows.js';
import { factValues, wordValues } from '../../../src/modules/matching/sql-search/candidate-facts.js';
import { CANDIDATES, KEPT_CANDIDATES } from '../../../src/modules/matching/sql-search/candidates.sql.js';
import { PostingLists } from '../../../src/modules/matching/sql-search/posting-lists.js';
import { AGENT_FACTS } from '../../../src/modules/matching/memory-search/index-rows.sql.js';
import { AGENT_LISTS } from '../../../src/modules/matching/sql-search/posting-lists.sql.js';
import { migrateMatchingAnew } from './matching-migrations.js';
import { MatchingSide } from '../../support/matching-side.js';
import { planOf } from '../../support/query-plan.js';
import { NOW, WORKER } from '../../support/market-rows.js';
import { ReadSide } from '../../support/read-side.js';
import { vacuumed } from '../../support/vacuumed.js';

const AGENTS = 50_000;
const AT_ONCE = 5_000;
/** Inserts agents with three words that only they have, one word that a twentieth has, and one that all have. */
const GENERATE = `INSERT INTO agents (id, account_id, name, description, agent_card_url, capabilities, status, available,
    wallet_address, created_at, updated_at, search)
  SELECT 'agent_g' || n, '${WORKER}', 'Agent ' || n, '', 'https://x', '{}', 'active', n % 10 <> 0, '0xW' || n, $1, $1,
    setweight(to_tsvector('english', 'agent name' || n % 997), 'A') ||
    setweight(to_tsvector('english', 'skill' || n % 499 || ' trade' || n % 251), 'B') ||
    setweight(to_tsvector('english', 'works on contracts' || CASE WHEN n % 20 = 0 THEN ' audit' ELSE '' END), 'C')
  FROM generate_series($2::integer, $3::integer) AS n`;

describe(`among ${AGENTS} agents`, () => {
  let side: ReadSide;
  let market: MatchingSide;

  beforeAll(async () => {
    side = await ReadSide.create();
    market = new MatchingSide(side);
    await migrateMatchingAnew(side.dataSource, async (runner) => {
      for (let from = 1; from <= AGENTS; from += AT_ONCE) await runner.query(GENERATE, [NOW, from, from + AT_ONCE - 1]);
    });
    await new AgentSearchRows(side.reads, side.transactions).follow(new AbortController().signal);
    await vacuumed(side.dataSource);
  }, 240_000);
  afterAll(() => side.close());

  it('candidates are found through the indexes of postings, and no posting is read in order', async () => {
    const plan = (text: string, values: unknown[]) => planOf(side.dataSource, text, values, []);
    const task = await side.task(1, { title: 'Audit contracts', brief: 'skill7 trade7 agent name9' });
    const { query } = await market.queries.queryFor(task);
    expect(query.terms.length).toBeGreaterThanOrEqual(5);
    const words = query.terms.map(({ termId }) => termId);
    const lists = await plan(AGENT_LISTS.text, [words, words.map(() => 20_000)]);
    expect(lists.scans).toContain('Index Only Scan using match_postings_term_id_impact_idx on match_postings');
    expect(lists.nodes.filter((node) => /Sort|Seq Scan/.test(node['Node Type']))).toEqual([]);
    const found = (await new PostingLists(side.reads).agents(query.terms)).best(1_200);
    expect(found).toHaveLength(1_200);
    const kept = await plan(KEPT_CANDIDATES.text, [...factValues(query), found]);
    expect(kept.scans).toContain('Index Scan using match_agents_pkey on match_agents');
    expect(kept.scanned).not.toContain('match_agents');
    const candidates = await plan(CANDIDATES.text, [...factValues(query), found, ...wordValues(query)]);
    expect(candidates.scans.join('\n')).toMatch(/Index (Only )?Scan using match_postings_pkey/);
    for (const table of ['match_postings', 'agents']) expect(candidates.scanned).not.toContain(table);
    const facts = await plan(AGENT_FACTS.text, [found]);
    expect(facts.scans).toContain('Index Scan using agents_number_key on agents');
    expect(facts.scanned).not.toContain('agents');
  });

  it('the limit fills with agents that may be hired', async () => {
    const task = await side.task(2, { title: 'Audit', brief: 'audit', criteria: [] });
    const { matches } = await market.ranking.rankAgents(task, 1_000);
    // Every tenth agent is unavailable, and those are half of the agents that audit.
    expect(matches).toHaveLength(0);
    await side.dataSource.query(`UPDATE agents SET available = true WHERE id LIKE 'agent_g%00'`);
    const some = await market.ranking.rankAgents(task, 1_000);
    expect(some.matches).toHaveLength(500);
  });
});
