import { AgentListService } from '../../../src/modules/agents/search/agent-list.service.js';
import { AgentSearchReader, LOOKED_AT } from '../../../src/modules/agents/search/agent-search-reader.js';
import { WordsOfAgents1700000000055 } from '../../../src/migrations/1700000000055-words-of-agents.js';
import { BUYER, NOW, WORKER } from '../../support/market-rows.js';
import { ReadSide, walk } from '../../support/read-side.js';
import { vacuumed } from '../../support/vacuumed.js';

const AGENTS = 4_000;
const SEED = 20261125;
/** Each word occurs in half as many agents as the one before: the first in most, the last in hardly any. */
const WORDS = ['alpha', 'bravo', 'cargo', 'delta', 'ember', 'fjord', 'glyph', 'haven', 'ivory', 'joker'] as const;

/** SQL for a number in [0, 1) that is derived from the seed and the row. */
const chance = (what: string): string =>
  `(('x' || substr(md5('${SEED}' || i || ${what}), 1, 7))::bit(28)::integer / 268435456.0)`;

/** Inserts agents numbered i with random words, weights and statuses, in random order. */
const FILL = `INSERT INTO agents (id, account_id, name, agent_card_url, capabilities, status, wallet_address, created_at,
    updated_at, search)
  SELECT 'agent_' || lpad(i::text, 26, '0'), '${WORKER}', 'n' || i, 'https://x', '{}',
    CASE WHEN i % 11 = 0 THEN 'retired' WHEN i % 13 = 0 THEN 'suspended' ELSE 'active' END, '0x', '${NOW}', '${NOW}',
    setweight(to_tsvector('english', name), 'A') || setweight(to_tsvector('english', description), 'C')
  FROM (
    SELECT i,
      coalesce(string_agg(word, ' ' ORDER BY ${chance('word')}) FILTER (WHERE place % 2 = i % 2), '') AS name,
      coalesce(string_agg(repeat(word || ' ', 1 + (i % 3)), ' ' ORDER BY ${chance('place')}), '') AS description
    FROM generate_series($1::integer, $2::integer) AS i
    LEFT JOIN unnest('{${WORDS.join(',')}}'::text[]) WITH ORDINALITY AS own (word, place) ON ${chance('word || place')} < 1.2 / 2 ^ (place - 1)
    GROUP BY i
  ) AS made`;

const KEPT = 'SELECT word, rank, agent_number FROM agent_words ORDER BY word, rank, agent_number';
const OUGHT = `SELECT own.word, own.rank, number AS agent_number FROM agents, words_of_search(search) AS own
  WHERE status NOT IN ('retired', 'suspended') ORDER BY 1, 2, 3`;

/** Finds by reading all agents what a search must find. */
const FOUND = `SELECT id, ts_rank(search, query, 1) AS rank FROM agents, websearch_to_tsquery('english', $1) AS query
  WHERE search @@ query AND status NOT IN ('retired', 'suspended') ORDER BY rank DESC, number DESC`;

let side: ReadSide;
let service: AgentListService;

beforeAll(async () => {
  side = await ReadSide.create();
  await side.dataSource.query('DELETE FROM agents');
  service = new AgentListService(side.reads, new AgentSearchReader(side.searches), side.cursors, side.clock);
  await side.fill(FILL, [1, AGENTS]);
  await vacuumed(side.dataSource);
}, 120_000);
afterAll(() => side?.close());

const page = (query: string, limit: number, cursor?: string) =>
  service.list({ accountId: BUYER }, { limit, query, ...(cursor ? { cursor } : {}) });
const pages = (query: string, limit = 100) => walk((cursor) => page(query, limit, cursor));
const found = async (query: string): Promise<string[]> =>
  (await side.dataSource.query<{ id: string }[]>(FOUND, [query])).map(({ id }) => id);
const haveWord = async (word: string): Promise<number> => (await found(word)).length;

describe('the words of agents', () => {
  it('are those of all who may be listed', async () => {
    const kept = await side.dataSource.query(KEPT);
    expect(kept.length).toBeGreaterThan(AGENTS);
    expect(kept).toEqual(await side.dataSource.query(OUGHT));
  });

  it('follow whatever changes an agent', async () => {
    const changes = [
      `UPDATE agents SET status = 'retired' WHERE number % 7 = 1`,
      `UPDATE agents SET status = 'active' WHERE number % 5 = 1`,
      `UPDATE agents SET search = to_tsvector('english', 'it''s ''quoted'' \\ back\\slash a.b/c''d') WHERE number % 9 = 1`,
      `UPDATE agents SET search = search || to_tsvector('english', 'more'), status = 'inactive' WHERE number % 8 = 1`,
      `UPDATE agents SET search = '', status = 'retired' WHERE number % 10 = 1`,
      `UPDATE agents SET available = false, updated_at = now() WHERE number % 3 = 1`,
      `DELETE FROM agents WHERE number % 12 = 1`,
    ];
    const runner = side.dataSource.createQueryRunner();
    await runner.startTransaction();
    try {
      for (const change of changes) {
        await runner.query(change);
        expect([change, await runner.query(KEPT)]).toEqual([change, await runner.query(OUGHT)]);
      }
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  });

  it('are made for agents that were there before them, however often it is begun', async () => {
    const before = await side.dataSource.query(KEPT);
    await side.dataSource.query('DELETE FROM agent_words WHERE agent_number % 3 > 0');
    const runner = side.dataSource.createQueryRunner();
    await new WordsOfAgents1700000000055().up(runner);
    await new WordsOfAgents1700000000055().up(runner);
    await runner.release();
    expect(await side.dataSource.query(KEPT)).toEqual(before);
  });
});

describe(`a search among ${AGENTS} agents`, () => {
  it.each([
    ...WORDS,
    'alpha bravo cargo delta ember fjord',
    'haven ivory',
    'ivory or joker',
    'haven or nobody or joker',
    'glyph -alpha',
    '"haven glyph"',
    'alpha joker or bravo ivory',
    'nobody',
    'alpha nobody',
    'the',
  ])('for %s finds whom a search of all finds, in its order', async (query) => {
    expect(await pages(query)).toEqual(await found(query));
    expect(await pages(query, 37)).toEqual(await found(query));
  });

  it.each([
    'alpha bravo',
    'alpha or bravo',
    'bravo or cargo or joker',
    'alpha -bravo',
    '"bravo alpha"',
    '(alpha) bravo -"cargo"',
  ])('for %s, of whose every word very many are, finds whom a search of all finds', async (query) => {
    const expected = await found(query);
    expect(expected.length).toBeGreaterThan(50);
    for (const limit of [100, 37]) {
      const shown = await pages(query, limit);
      expect(shown).toHaveLength(expected.length);
      expect([...shown].sort()).toEqual([...expected].sort());
    }
  });

  it('begins, of those who have either of two frequent words, with whom one of these fits best', async () => {
    const [first] = await pages('alpha or bravo');
    const best = await side.dataSource.query<{ id: string }[]>(
      `SELECT id FROM agents JOIN agent_words ON agent_number = number WHERE word IN ('alpha', 'bravo') ORDER BY rank DESC, number DESC LIMIT 1`,
    );
    expect(first).toBe(best[0]?.id);
  });

  it('looks at so many for one page, shows those that it finds, and says where to go on', async () => {
    const bravos = await haveWord('bravo');
    expect(bravos).toBeGreaterThan(2 * LOOKED_AT);
    // Every agent has the excluded word, so nothing is found and many pages are empty.
    let [count, cursor] = [0, ''];
    for (;;) {
      const { data, next_page } = await page('bravo -alpha', 100, cursor);
      expect(data).toEqual([]);
      count += 1;
      if (next_page === null) break;
      cursor = next_page;
    }
    expect(count).toBe(Math.floor(bravos / LOOKED_AT) + 1);
  });

  it('is walked without repeats or gaps while agents come and go, and becomes no other when a word does', async () => {
    for (const query of ['haven ivory', 'alpha bravo']) {
      const before = await found(query);
      const seen = await walk(
        (cursor) => page(query, 30, cursor),
        async (n) => {
          if (n > 1) return;
          await side.fill(FILL, [AGENTS + 1 + n * 500, AGENTS + 500 + n * 500]);
        },
      );
      await side.fill(`DELETE FROM agents WHERE id > 'agent_' || lpad('${AGENTS}', 26, '0')`);
      expect(new Set(seen).size).toBe(seen.length);
      expect(before.filter((id) => !seen.includes(id))).toEqual([]);
    }
  }, 60_000);

  it('takes no cursor of an order that was before', async () => {
    const binding = { accountId: BUYER, operationId: 'listAgents', filters: { query: 'alpha' } };
    const cursor = side.cursors.seal(binding, ['0.5', 'agent_z']);
    await expect(page('alpha', 10, cursor)).rejects.toMatchObject({ code: 'invalid_cursor' });
  });
});
