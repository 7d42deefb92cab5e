import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { PENDING } from '../../../modules/matching/search-tables/agent-search-rows/agent-search-rows.sql.js';
import { NOTE_ALL } from '../../../modules/matching/search-tables/statements/match-changes.sql.js';
import { briefVector } from '../../../modules/matching/relevance/similar-briefs.js';
import { idfOf } from '../../../modules/matching/relevance/impact.js';
import type { EvalTool } from '../../eval/matching/matching-sets.js';
import { Seeded } from '../../eval/statistics/seeded.js';
import { BASELINE_INDEX } from './match-baseline.sql.js';
import { MatchCorpus } from './match-corpus.js';

const AT_ONCE = 5_000;
/** Numbers of the generated agents begin here, above those of the sample market. */
const FIRST_NUMBER = 1_000;
const AGENTS_PER_OWNER = 5;
/** Settled briefs per agent, and words per brief. */
const BRIEFS_SHARE = 0.05;
const BRIEF_WORDS = 18;
/** Number of agents whose texts the average lengths are computed from. */
const MEASURED = 10_000;

/** Milliseconds between two checks whether the service has followed. */
const LOOK_MS = 200;

/**
 * Tables whose changes are noted row by row. The triggers are off while rows are generated; one note at the end
 * replaces them.
 */
const NOTED = ['agents', 'reputation_records'] as const;

/**
 * Indexes that are dropped before the rows are written and created again afterwards by the statement that made them.
 */
const LATE_INDEXES = ['match_postings_term_id_impact_idx'] as const;

/** Fills a migrated database with `agents` agents, and their postings, records and settled briefs. */
export async function fillMatchMarket(
  client: pg.Client,
  tools: readonly EvalTool[],
  { agents, seed, servicePid }: { agents: number; seed: number; servicePid: number },
): Promise<{ postings: number; words: number }> {
  const corpus = await MatchCorpus.read(client, tools);
  const averages = averagesOf(corpus, seed);
  await client.query('TRUNCATE match_terms, match_postings, match_lengths, match_briefs, match_brief_postings');
  for (const table of NOTED) {
    await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    await client.query(`ALTER TABLE ${table} ENABLE TRIGGER ${table}_rendered`);
  }
  const { rows: late } = await client.query<{ indexname: string; indexdef: string }>(
    'SELECT indexname, indexdef FROM pg_indexes WHERE indexname = ANY($1)',
    [LATE_INDEXES],
  );
  for (const { indexname } of late) await client.query(`DROP INDEX ${indexname}`);
  await client.query('ALTER TABLE match_postings DROP CONSTRAINT match_postings_pkey');
  await insertOwners(client, Math.ceil(agents / AGENTS_PER_OWNER));
  const chance = new Seeded(seed);
  const df = new Int32Array(corpus.words.length);
  let postings = 0;
  for (let from = 0; from < agents; from += AT_ONCE) {
    const made = Array.from({ length: Math.min(AT_ONCE, agents - from) }, () => corpus.agent(chance));
    const posted = made.map((agent) => corpus.impactsOf(agent, averages));
    const numbers = made.map((_, index) => FIRST_NUMBER + from + index);
    await client.query(INSERT_AGENTS, [
      numbers,
      made.map((agent) => corpus.vectorOf(agent)),
      made.map((agent) => JSON.stringify(corpus.capabilitiesOf(agent))),
    ]);
    await client.query(INSERT_LENGTHS, [
      numbers,
      made.map(({ name }) => name.length),
      made.map(({ rest }) => rest.length),
    ]);
    const flat = posted.flatMap((list, index) => list.map((posting) => ({ number: numbers[index], ...posting })));
    for (const { word } of flat) df[word] = (df[word] ?? 0) + 1;
    postings += flat.length;
    await client.query(INSERT_POSTINGS, [
      flat.map(({ number }) => number),
      flat.map(({ word }) => word + 1),
      flat.map(({ impact }) => impact),
    ]);
  }
  await client.query(INSERT_TERMS, [corpus.words, [...df]]);
  await client.query(`INSERT INTO match_statistics (id) VALUES (1) ON CONFLICT DO NOTHING`);
  await insertBriefs(client, corpus, { agents, df, chance });
  await client.query(
    `UPDATE match_statistics SET agents = $1::integer, name_length = $2, rest_length = $3, rewritten_to = NULL, counted_at = now(),
      briefs = (SELECT count(*) FROM match_briefs), brief_texts = $1::integer + (SELECT count(*) FROM match_briefs)`,
    [agents, averages.name, averages.rest],
  );
  await client.query(INSERT_RECORDS);
  await client.query(
    `ALTER TABLE match_postings ADD CONSTRAINT match_postings_pkey PRIMARY KEY (agent_number, term_id) INCLUDE (impact)`,
  );
  for (const { indexdef } of late) await client.query(indexdef);
  await client.query(BASELINE_INDEX);
  for (const table of NOTED) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  await client.query(NOTE_ALL.text, [new Date(), 'postings']);
  await rowsFollow(client, servicePid);
  await client.query('VACUUM (ANALYZE)');
  return { postings, words: corpus.words.length };
}

/** Makes the market forget which agents were shown, and waits until the service has followed that change. */
export async function forgetShown(client: pg.Client, servicePid: number): Promise<void> {
  await client.query('TRUNCATE match_impressions, match_snapshots');
  await client.query('DELETE FROM agent_impressions');
  await rowsFollow(client, servicePid);
  await client.query('VACUUM agent_impressions');
}

/** Waits until the service has written the row of every agent. @throws Error when the service has ended before. */
async function rowsFollow(client: pg.Client, servicePid: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ numbers: string | null }>(PENDING.text, [0]);
    if (rows[0]?.numbers === '{}') return;
    if (!isAlive(servicePid)) throw new Error('The service has ended before the rows of agents have followed');
    await sleep(LOOK_MS);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const INSERT_OWNERS = `INSERT INTO accounts (id, name, wallet_address, created_at)
  SELECT 'acct_owner_' || i, 'Owner ' || i, '0xbe' || lpad(to_hex(i), 38, '0'), now()
  FROM generate_series($1::integer, $2::integer) i`;

async function insertOwners(client: pg.Client, owners: number): Promise<void> {
  const lot = 50_000;
  for (let from = 0; from < owners; from += lot) {
    await client.query(INSERT_OWNERS, [from, Math.min(from + lot, owners) - 1]);
  }
}

/** One agent in eight is unavailable. Descriptions are empty and all cards alike, because no match reads them. */
const INSERT_AGENTS = `INSERT INTO agents (id, number, account_id, name, description, agent_card_url, capabilities, status,
    available, wallet_address, created_at, updated_at, search, capability_words)
  SELECT 'agent_bench_' || number, number, 'acct_owner_' || (number - ${FIRST_NUMBER}) / ${AGENTS_PER_OWNER},
    'Agent ' || number, '', 'https://agents.example/card',
    ARRAY(SELECT json_array_elements_text(capabilities::json)), 'active', number % 8 <> 0,
    '0xbe' || lpad(to_hex((number - ${FIRST_NUMBER}) / ${AGENTS_PER_OWNER}), 38, '0'), now(), now(), search::tsvector,
    ARRAY(SELECT to_tsvector('english', text) FROM json_array_elements_text(capabilities::json) AS text)
  FROM unnest($1::integer[], $2::text[], $3::text[]) AS made (number, search, capabilities)`;

const INSERT_LENGTHS = `INSERT INTO match_lengths (agent_number, name, rest)
  SELECT * FROM unnest($1::integer[], $2::smallint[], $3::smallint[])`;

const INSERT_POSTINGS = `INSERT INTO match_postings (agent_number, term_id, impact)
  SELECT * FROM unnest($1::integer[], $2::integer[], $3::smallint[])`;

const INSERT_TERMS = `INSERT INTO match_terms (term_id, word, df)
  SELECT place, word, df FROM unnest($1::text[], $2::integer[]) WITH ORDINALITY AS made (word, df, place)`;

/** Three agents in ten have a record. */
const INSERT_RECORDS = `INSERT INTO reputation_records (agent_id, score, career_score, recent_score, independence_confidence,
    settled_value, independent_value, settlements, buyers, independent_buyers, updated_at)
  SELECT id, score, score, score, (number % 97) / 100.0, 100000000, 1000000::numeric * (number % 97), number % 40, 5, 3, now()
  FROM (SELECT id, number, 0.5 + (number % 499) / 1000.0 AS score FROM agents
    WHERE number >= ${FIRST_NUMBER} AND number % 10 < 3) AS made`;

async function insertBriefs(
  client: pg.Client,
  corpus: MatchCorpus,
  { agents, df, chance }: { agents: number; df: Int32Array; chance: Seeded },
): Promise<void> {
  const count = Math.floor(agents * BRIEFS_SHARE);
  for (let from = 0; from < count; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => 1 + from + index);
    const workers = numbers.map(() => FIRST_NUMBER + chance.below(agents));
    const postings = numbers.flatMap((number) => {
      const { rest } = corpus.agent(chance);
      const words = new Map(chance.sample(rest, BRIEF_WORDS).map((word) => [String(word), 1]));
      const vector = briefVector(words, (word) => idfOf(df[Number(word)] ?? 0, agents));
      return [...vector].map(([word, weight]) => ({ number, word: Number(word), weight }));
    });
    await client.query(INSERT_BRIEFS, [numbers]);
    await client.query(INSERT_BRIEF_POSTINGS, [
      postings.map(({ number }) => number),
      postings.map(({ word }) => word + 1),
      postings.map(({ weight }) => weight),
    ]);
    await client.query(INSERT_SETTLEMENTS, [numbers, workers]);
  }
}

const INSERT_BRIEFS = `INSERT INTO match_briefs (task_id, number, version)
  SELECT 'task_settled_' || number, number, (SELECT brief_version FROM match_statistics)
  FROM unnest($1::integer[]) AS number`;

const INSERT_BRIEF_POSTINGS = `INSERT INTO match_brief_postings (brief_number, term_id, weight)
  SELECT * FROM unnest($1::integer[], $2::integer[], $3::smallint[])`;

const INSERT_SETTLEMENTS = `INSERT INTO settlements (node_id, task_id, agent_id, worker_account_id, payer_account_id,
    payer_wallet, worker_wallet, amount, released, outcome, settled_at)
  SELECT 'node_settled_' || brief, 'task_settled_' || brief, 'agent_bench_' || worker,
    'acct_owner_' || (worker - ${FIRST_NUMBER}) / ${AGENTS_PER_OWNER}, 'acct_payer_' || brief % 1000,
    '0x' || repeat('1', 40), '0x' || repeat('2', 40), 100, 100, 'accepted',
    timestamptz '2026-01-01 00:00:00Z' + brief * interval '1 minute'
  FROM unnest($1::integer[], $2::integer[]) AS made (brief, worker)`;

function averagesOf(corpus: MatchCorpus, seed: number): { name: number; rest: number } {
  const chance = new Seeded(seed);
  const made = Array.from({ length: MEASURED }, () => corpus.agent(chance));
  const mean = (field: 'name' | 'rest'): number =>
    made.reduce((sum, agent) => sum + agent[field].length, 0) / made.length;
  return { name: mean('name'), rest: mean('rest') };
}
