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
import {
  AGENTS_PER_OWNER,
  FIRST_NUMBER,
  FORGET_IMPRESSIONS,
  INDEXES,
  INSERT_AGENTS,
  INSERT_BRIEF_POSTINGS,
  INSERT_BRIEFS,
  INSERT_LENGTHS,
  INSERT_OWNERS,
  INSERT_POSTINGS,
  INSERT_RECORDS,
  INSERT_SETTLEMENTS,
  INSERT_STATISTICS,
  INSERT_TERMS,
  SET_STATISTICS,
} from './match-market.sql.js';

const AT_ONCE = 5_000;
/** Settled briefs for each agent, and words of each. */
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
  const { rows: late } = await client.query<{ indexname: string; indexdef: string }>(INDEXES, [LATE_INDEXES]);
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
  await client.query(INSERT_STATISTICS);
  await insertBriefs(client, corpus, { agents, df, chance });
  await client.query(SET_STATISTICS, [agents, averages.name, averages.rest]);
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
  await client.query(FORGET_IMPRESSIONS);
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

async function insertOwners(client: pg.Client, owners: number): Promise<void> {
  const lot = 50_000;
  for (let from = 0; from < owners; from += lot) {
    await client.query(INSERT_OWNERS, [from, Math.min(from + lot, owners) - 1]);
  }
}

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

function averagesOf(corpus: MatchCorpus, seed: number): { name: number; rest: number } {
  const chance = new Seeded(seed);
  const made = Array.from({ length: MEASURED }, () => corpus.agent(chance));
  const mean = (field: 'name' | 'rest'): number =>
    made.reduce((sum, agent) => sum + agent[field].length, 0) / made.length;
  return { name: mean('name'), rest: mean('rest') };
}
