import type { EntityManager } from 'typeorm';
import { type PreparedStatement, runPrepared } from '../../../platform/database/transactions.js';
import { type FieldCounts, impactOf } from '../relevance/impact.js';
import { agentLexemes } from '../relevance/lexemes.js';
import { termIdsOf } from './term-ids.js';

/** The fields of an agent that its postings depend on. */
export interface PostedAgent {
  number: number;
  status: string;
  /** The agent's tsvector, as the text that Postgres sends. */
  search: string;
}

export const AGENTS_BY_ID: PreparedStatement = {
  name: 'match_postings_agents',
  text: 'SELECT number, status, search::text AS search FROM agents WHERE id = ANY($1::text[]) ORDER BY number',
};

/** Active agents above number $1, at most $2. */
export const AGENTS_AFTER: PreparedStatement = {
  name: 'match_postings_agents_after',
  text: `SELECT number, status, search::text AS search FROM agents WHERE number > $1 AND status = 'active'
    ORDER BY number LIMIT $2`,
};

const FORGET: PreparedStatement = {
  name: 'match_postings_forget',
  text: 'DELETE FROM match_postings WHERE agent_number = ANY($1::integer[]) RETURNING term_id',
};

const WRITE: PreparedStatement = {
  name: 'match_postings_write',
  text: `INSERT INTO match_postings (agent_number, term_id, impact)
    SELECT * FROM unnest($1::integer[], $2::integer[], $3::smallint[])`,
};

const FORGET_LENGTHS: PreparedStatement = {
  name: 'match_lengths_forget',
  text: 'DELETE FROM match_lengths WHERE agent_number = ANY($1::integer[])',
};

const WRITE_LENGTHS: PreparedStatement = {
  name: 'match_lengths_write',
  text: `INSERT INTO match_lengths (agent_number, name, rest)
    SELECT * FROM unnest($1::integer[], $2::smallint[], $3::smallint[])
    ON CONFLICT (agent_number) DO UPDATE SET name = excluded.name, rest = excluded.rest`,
};

/**
 * Replaces the postings of these agents. Only active agents have postings.
 * @param averages average lengths with which all impacts are computed.
 * @returns numbers of the words whose postings have changed, unordered and with repetitions.
 */
export async function writePostings(
  manager: EntityManager,
  agents: readonly PostedAgent[],
  averages: FieldCounts,
): Promise<number[]> {
  if (agents.length === 0) return [];
  const active = agents
    .filter(({ status }) => status === 'active')
    .map(({ number, search }) => ({ number, ...agentLexemes(search) }));
  const ids = await termIdsOf(
    manager,
    active.flatMap(({ terms }) => [...terms.keys()]),
  );
  const postings = active.flatMap(({ number, terms, lengths }) =>
    [...terms].flatMap(([word, tf]) => {
      const termId = ids.get(word);
      const impact = impactOf(tf, lengths, averages);
      return termId === undefined || impact === 0 ? [] : [{ number, termId, impact }];
    }),
  );
  const numbers = agents.map(({ number }) => number);
  const before = await runPrepared<{ term_id: number }>(manager, FORGET, [numbers]);
  await runPrepared(manager, WRITE, [
    postings.map(({ number }) => number),
    postings.map(({ termId }) => termId),
    postings.map(({ impact }) => impact),
  ]);
  await runPrepared(manager, FORGET_LENGTHS, [
    agents.filter(({ status }) => status !== 'active').map(({ number }) => number),
  ]);
  await runPrepared(manager, WRITE_LENGTHS, [
    active.map(({ number }) => number),
    active.map(({ lengths }) => lengths.name),
    active.map(({ lengths }) => lengths.rest),
  ]);
  return [...before.map(({ term_id }) => term_id), ...postings.map(({ termId }) => termId)];
}
