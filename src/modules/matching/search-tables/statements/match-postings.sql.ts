import type { PreparedStatement } from '../../../../platform/database/transactions.js';

/** The fields of an agent that its postings depend on. */
export interface PostedAgent {
  number: number;
  status: string;
  /** The agent's tsvector, as the text that Postgres sends. */
  search: string;
}

/** The agents with the ids $1. */
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

/** Deletes the postings of the agents $1. Gives the numbers of the words that they had. */
export const FORGET_POSTINGS: PreparedStatement = {
  name: 'match_postings_forget',
  text: 'DELETE FROM match_postings WHERE agent_number = ANY($1::integer[]) RETURNING term_id',
};

/** Writes postings: $1 the numbers of the agents, $2 those of their words, $3 the impacts. */
export const WRITE_POSTINGS: PreparedStatement = {
  name: 'match_postings_write',
  text: `INSERT INTO match_postings (agent_number, term_id, impact)
    SELECT * FROM unnest($1::integer[], $2::integer[], $3::smallint[])`,
};

/** Deletes the lengths of the texts of the agents $1. */
export const FORGET_LENGTHS: PreparedStatement = {
  name: 'match_lengths_forget',
  text: 'DELETE FROM match_lengths WHERE agent_number = ANY($1::integer[])',
};

/** Writes the lengths of texts: $1 the numbers of the agents, $2 the lengths of their names, $3 those of the rest. */
export const WRITE_LENGTHS: PreparedStatement = {
  name: 'match_lengths_write',
  text: `INSERT INTO match_lengths (agent_number, name, rest)
    SELECT * FROM unnest($1::integer[], $2::smallint[], $3::smallint[])
    ON CONFLICT (agent_number) DO UPDATE SET name = excluded.name, rest = excluded.rest`,
};
