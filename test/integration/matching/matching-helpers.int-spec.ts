import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Seeded } from '../../../src/dev/eval/statistics/seeded.js';
import { agentsIn } from '../../../src/modules/matching/memory-search/columns/agent-columns.js';
import { AgentIndex } from '../../../src/modules/matching/memory-search/agent-index.js';
import { excludedOwners } from '../../../src/modules/matching/memory-search/columns/agent-owners.js';
import { HireableAgents } from '../../../src/modules/matching/memory-search/columns/hireable-agents.js';
import type { HelperSearch, SharedAgents } from '../../../src/modules/matching/memory-search/helper-messages.js';
import { IndexConnection } from '../../../src/modules/matching/memory-search/index-connection.js';
import { type Posted, InvertedIndex, SegmentBuilder, ParallelSearch } from '#libs/text-search';
import { SearchHelpers } from '../../../src/modules/matching/memory-search/search-helpers.js';
import { monotonicMs } from '../../../src/modules/matching/memory-search/monotonic-clock.js';
import { workerFile } from '../../../src/modules/matching/memory-search/worker-file.js';
import { TEXT_CANDIDATES } from '../../../src/modules/matching/relevance/matching-limits.js';
import { eventually } from '../../support/eventually.js';
import { NOW, WORKER } from '../../support/market-rows.js';
import { ReadSide } from '../../support/read-side.js';

const AT_MS = Date.parse('2026-11-20T12:00:00.000Z');

/** Search helpers that report how much of what was found they have found. */
class CountedHelpers extends SearchHelpers {
  private readonly searches: ParallelSearch[] = [];

  override search(...wanted: Parameters<SearchHelpers['search']>): ParallelSearch {
    const search = super.search(...wanted);
    this.searches.push(search);
    return search;
  }

  /** Number of documents that helpers have found since the last call. */
  get found(): number {
    const found = this.searches.splice(0).flatMap((search) => search.slotOf(1).found);
    return found.reduce((sum, [count = 0]) => sum + count, 0);
  }
}

const faults: Error[] = [];
let helpers: CountedHelpers;

beforeEach(() => {
  faults.length = 0;
  helpers = new CountedHelpers(2, (error) => faults.push(error));
});
afterEach(async () => {
  await helpers.stop();
  const [fault] = faults;
  if (fault) throw fault;
});

describe('threads that help with a search', () => {
  const WORDS = 12;
  const AGENTS = 150_000;
  const ownerOf = (agent: number): string => `acct_${agent % 9}`;

  const postedBy = (chance: Seeded): Posted => ({
    terms: Uint32Array.of(chance.below(4), 4 + chance.below(WORDS - 4)),
    weights: Uint8Array.of(1 + chance.below(255), 1 + chance.below(255)),
  });

  function indexBy(chance: Seeded): InvertedIndex {
    const builder = new SegmentBuilder(new Uint32Array(WORDS).fill(AGENTS));
    for (let agent = 1; agent <= AGENTS; agent += 1) builder.add(agent, postedBy(chance));
    return new InvertedIndex(builder.finish());
  }

  it('find with the thread that asks what it finds alone, while agents change and segments are merged', async () => {
    const chance = new Seeded(7);
    const index = indexBy(chance);
    const hireable = new HireableAgents();
    const set = (agent: number, available: boolean): void =>
      hireable.set(agent, { accountId: ownerOf(agent), walletAddress: `0x${agent}`, available, untilMs: null });
    for (let agent = 1; agent <= AGENTS; agent += 1) set(agent, chance.chance(0.9));
    let next = AGENTS;
    let helped = 0;
    const memories = new Set<unknown>();
    // On a busy machine it takes more rounds until the helpers were fast enough in thirty.
    for (let round = 0; round < 60 || (helped <= 30 && round < 1_000); round += 1) {
      for (let change = 0; change < 100; change += 1) {
        const agent = 1 + chance.below(AGENTS);
        if (chance.chance(0.3)) index.remove(agent);
        else index.put(chance.chance(0.1) ? ++next : agent, postedBy(chance));
        set(chance.chance(0.1) ? next : 1 + chance.below(AGENTS), chance.chance(0.5));
      }
      // Adds so many agents that the memory no longer suffices and is replaced.
      if (round < 60 && round % 25 === 15) next += AGENTS / 4;
      memories.add(index.standing.replaced.buffer);
      const words = Array.from({ length: WORDS }, (_, termId) => ({ termId, weight: 1 + chance.below(50) }));
      const terms = chance.sample(words, 1 + chance.below(WORDS));
      const excluded = {
        owners: excludedOwners([ownerOf(chance.below(9)), `0x${chance.below(AGENTS)}`]),
        agents: new Set(chance.sample([...Array(99).keys()], 30)),
      };
      const wanted = { terms, atMs: AT_MS, excluded };
      const accepts = (agent: number): boolean => hireable.mayBeHired(agent, wanted);
      const query = { terms, leading: terms.length, accepts };
      const limit = 1 + chance.below(1_000);
      const found = index.find(query, helpers.search(index, hireable, wanted, limit));
      expect(found).toEqual(index.best({ ...query, limit }));
      helped += Number(helpers.found > 0);
      if (round % 20 === 10) await helpers.stop();
      // In the first round, waits until the helpers listen.
      if (round === 0)
        await eventually(() => index.find(query, helpers.search(index, hireable, wanted, limit)) && helpers.found > 0);
    }
    expect(memories.size).toBeGreaterThan(1);
    expect(helped).toBeGreaterThan(30);
  });

  it('end when they are told what cannot be', async () => {
    const { segment, replaced } = new InvertedIndex().standing;
    const agents: SharedAgents = { segment: segment.parts, replaced, hireable: new HireableAgents().shared };
    const worker = new Worker(workerFile('search-helper.worker.js'), { workerData: agents });
    const slot = ParallelSearch.begin(1, 0).slotOf(1);
    const wanted: HelperSearch = { slot, terms: [], atMs: 0, excluded: { owners: [], agents: new Set() } };
    worker.postMessage(wanted);
    expect(await once(worker, 'error')).toEqual([new RangeError('There is no helper 1')]);
  });
});

describe('an index with helpers', () => {
  const AGENTS = 60_000;
  const TERMS = [1, 2, 3, 4, 5].map((termId) => ({ termId, weight: 3 + termId }));
  let side: ReadSide;
  let connection: IndexConnection;

  beforeEach(async () => {
    side = await ReadSide.create();
    connection = await IndexConnection.open(side.environment.databaseUrl, (error) => faults.push(error));
  });
  afterEach(async () => {
    await connection.close();
    await side.close();
  });

  const sql = (text: string, values: unknown[] = []): Promise<unknown> => side.dataSource.query(text, values);

  /** The answer that the database gives by reading all postings. */
  async function expected(excluded: readonly number[]): Promise<[number, number][]> {
    const rows: { number: number; sum: string }[] = await side.dataSource.query(
      `SELECT a.number, sum(p.impact * (3 + p.term_id)) AS sum
        FROM agents a JOIN match_postings p ON p.agent_number = a.number
        WHERE a.available AND a.status = 'active' AND a.number <> ALL ($1)
        GROUP BY a.number ORDER BY sum DESC, a.number LIMIT $2`,
      [excluded, TEXT_CANDIDATES],
    );
    return rows.map(({ number, sum }) => [number, Number(sum)]);
  }

  it('finds what the database has, before and after it has changed', async () => {
    await sql(
      `INSERT INTO agents (id, account_id, name, description, agent_card_url, capabilities, status, available,
          wallet_address, created_at, updated_at, search)
        SELECT 'agent_' || n, $1, 'Audit', '', 'https://x', '{}', 'active', n % 5 > 0, '0x1', $2, $2, ''
        FROM generate_series(1, $3::integer) AS n`,
      [WORKER, NOW, AGENTS],
    );
    await sql(
      `INSERT INTO match_postings (agent_number, term_id, impact)
        SELECT number, term_id, 1 + hashint4(number * 8 + term_id) & 127 FROM agents, generate_series(1, 5) AS term_id`,
    );
    const index = new AgentIndex(connection, () => undefined, helpers);
    await index.follow();
    const search = async (agents: number[]): Promise<[number, number][]> => {
      const query = {
        terms: TERMS,
        brief: [],
        anchored: false,
        excluded: { owners: [], agents, brief: 0 },
        atMs: AT_MS,
      };
      const columns = await index.search(query, monotonicMs());
      return agentsIn(columns ?? { numbers: new Float64Array(0), texts: new Uint8Array(0) }).map((agent) => [
        agent.agentNumber,
        agent.relevance,
      ]);
    };
    await eventually(async () => (await search([])).length > 0 && helpers.found > 0);
    const best = await expected([]);
    expect(await search([])).toEqual(best);
    const excluded = best.slice(0, 50).map(([number]) => number);
    expect(await search(excluded)).toEqual(await expected(excluded));
    // Changes more postings than are searched one by one, some of them of agents that are no longer available.
    await sql(
      `WITH changed AS (UPDATE match_postings SET impact = 255 - impact WHERE agent_number % 40 = 0 RETURNING agent_number)
        INSERT INTO match_changes (transaction_id, kind, agent_number, created_at)
        SELECT DISTINCT pg_current_xact_id()::text::bigint, 'texts', agent_number, now() FROM changed`,
    );
    await sql('UPDATE agents SET available = NOT available WHERE number % 30 = 0');
    // The index may still be behind.
    await eventually(async () => (await search([])).length > 0);
    const after = await expected([]);
    expect(after).not.toEqual(best);
    expect(await search([])).toEqual(after);
    expect(helpers.found).toBeGreaterThan(0);
  });
});
