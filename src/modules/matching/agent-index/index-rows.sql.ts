import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { integersIn } from '../array-texts.js';
import type { MatchChangeKind } from '../match-changes.js';
import type { Posted } from './posting-segment.js';

/** Documents that are read at once. */
export const READ_AT_ONCE = 2_000;

/** A document with its words, as `pg` parses it. */
export interface PostedRow {
  number: number;
  /** Arrays of Postgres, as text; null without any. */
  terms: string | null;
  weights: string | null;
}

/** An agent as the index keeps it. */
export interface IndexedAgentRow extends PostedRow {
  available: boolean;
  /** Milliseconds since 1970, or null. */
  until_ms: number | null;
}

const AGENTS = `SELECT a.number, a.available, (extract(epoch FROM a.available_until) * 1000)::float8 AS until_ms,
    p.terms, p.weights
  FROM agents a CROSS JOIN LATERAL (
    SELECT array_agg(term_id)::text AS terms, array_agg(impact)::text AS weights
    FROM match_postings WHERE agent_number = a.number
  ) AS p`;

const BRIEFS = `SELECT b.number, p.terms, p.weights
  FROM match_briefs b CROSS JOIN LATERAL (
    SELECT array_agg(term_id)::text AS terms, array_agg(weight)::text AS weights
    FROM match_brief_postings WHERE brief_number = b.number AND weight > 0
  ) AS p`;

/** Where the documents of a kind are: counts of all words, documents above number $1, and those of the numbers $1. */
export interface DocumentStatements {
  counts: PreparedStatement;
  after: PreparedStatement;
  of: PreparedStatement;
}

export const AGENT_ROWS: DocumentStatements = {
  counts: {
    name: 'match_index_agent_counts',
    text: 'SELECT term_id, count(*)::integer AS count FROM match_postings GROUP BY term_id ORDER BY term_id',
  },
  after: {
    name: 'match_index_agents_after',
    text: `${AGENTS} WHERE a.number > $1 ORDER BY a.number LIMIT ${READ_AT_ONCE}`,
  },
  of: { name: 'match_index_agents_of', text: `${AGENTS} WHERE a.number = ANY($1::integer[])` },
};

export const BRIEF_ROWS: DocumentStatements = {
  counts: {
    name: 'match_index_brief_counts',
    text: `SELECT term_id, count(*)::integer AS count FROM match_brief_postings
      WHERE weight > 0 GROUP BY term_id ORDER BY term_id`,
  },
  after: {
    name: 'match_index_briefs_after',
    text: `${BRIEFS} WHERE b.number > $1 ORDER BY b.number LIMIT ${READ_AT_ONCE}`,
  },
  of: { name: 'match_index_briefs_of', text: `${BRIEFS} WHERE b.number = ANY($1::integer[])` },
};

/** The oldest transaction that is not over: what it and later ones have written is not seen, or not all of it. */
export const HORIZON: PreparedStatement = {
  name: 'match_index_horizon',
  text: 'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon',
};

/** Changes by the transactions from $1 on, with the horizon of this look. */
export const CHANGES: PreparedStatement = {
  name: 'match_index_changes',
  text: `SELECT seq, kind, agent_number, brief_number, pg_snapshot_xmin(pg_current_snapshot())::text AS horizon
    FROM match_changes WHERE transaction_id >= $1::bigint ORDER BY seq`,
};

export interface ChangeRow {
  seq: string;
  kind: MatchChangeKind;
  agent_number: number | null;
  brief_number: number | null;
  horizon: string;
}

/** Agents of the accounts $1, of the wallet $2, and those with the ids $3: who may not be hired by a buyer. */
export const EXCLUDED: PreparedStatement = {
  name: 'match_index_excluded',
  text: `SELECT number FROM agents WHERE account_id = ANY($1::text[])
    UNION SELECT number FROM agents WHERE wallet_address = $2
    UNION SELECT number FROM agents WHERE id = ANY($3::text[])`,
};

/** The words of a row; none for a document without any. */
export function postedOf({ terms, weights }: PostedRow): Posted {
  return { terms: Uint32Array.from(integersIn(terms ?? '')), weights: Uint8Array.from(integersIn(weights ?? '')) };
}
