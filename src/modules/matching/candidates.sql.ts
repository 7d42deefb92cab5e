import type { AgentStatus } from '../agents/agent.entity.js';
import { availableSql } from '../agents/agent.lifecycle.js';
import { FULL_LOAD } from './rank.js';

/** Lexemes of a task that are searched for; a brief of 20,000 characters has thousands. */
const MAX_LEXEMES = 64;
/** Newest nodes of an agent among which its live ones are counted, so that a long history costs nothing. */
const MAX_COUNTED_NODES = 100;
/** Matched capabilities kept per agent: more of them change nothing that is shown. */
const MAX_MATCHED = 3;
/** `searchableText` in SQL, near enough for capabilities: what it misses is still found, only not named as matched. */
const AS_WORDS = `translate(regexp_replace(capability, '([a-z0-9])([A-Z])', '\\1 \\2', 'g'), '_/.:-', '     ')`;

const AVAILABLE = availableSql('a', '$5::timestamptz');

/**
 * The agents that may be hired for a task, the most relevant first: $1 title, $2 brief and criteria (both as
 * `searchableText`), $3 and $4 account and wallet of the buyer, $5 now. One statement, whatever the number of agents.
 *
 * The query is the OR of the task's lexemes, those of the title and the most frequent ones first. The hard filters are
 * here too (eligibility.ts decides), so that the limit never fills with agents who cannot be hired.
 */
export function candidatesStatement(limit: number): { name: string; text: string } {
  return {
    name: `match_candidates_${limit}`,
    text: `WITH lexemes AS (
        SELECT lexeme FROM (
          SELECT lexeme, 1 AS of_title, cardinality(positions) AS hits FROM unnest(to_tsvector('english', $1))
          UNION ALL
          SELECT lexeme, 0, cardinality(positions) FROM unnest(to_tsvector('english', $2))
        ) AS words
        GROUP BY lexeme ORDER BY max(of_title) DESC, sum(hits) DESC, lexeme LIMIT ${MAX_LEXEMES}
      ), wanted AS (
        SELECT string_agg(quote_literal(replace(lexeme, '\\', '\\\\')), ' | ')::tsquery AS query FROM lexemes
      ), found AS (
        SELECT a.id, a.account_id, a.wallet_address, a.status, a.capabilities, ${AVAILABLE} AS available,
          ts_rank(a.search, (SELECT query FROM wanted), 1) AS relevance
        FROM agents a
        WHERE a.search @@ (SELECT query FROM wanted)
          AND a.status = 'active' AND ${AVAILABLE} AND a.account_id <> $3 AND a.wallet_address <> $4
        ORDER BY relevance DESC, a.id LIMIT ${limit}
      )
      SELECT found.id, found.account_id, found.wallet_address, found.status, found.available::text AS available,
        found.relevance, matched.capabilities AS matched_capabilities, load.live_nodes,
        r.score, r.independence_confidence, r.settled_value
      FROM found
      CROSS JOIN LATERAL (
        SELECT coalesce(json_agg(capability), '[]') AS capabilities FROM (
          SELECT capability FROM unnest(found.capabilities) AS capability
          WHERE to_tsvector('english', ${AS_WORDS}) @@ (SELECT query FROM wanted) LIMIT ${MAX_MATCHED}
        ) AS hits
      ) AS matched
      CROSS JOIN LATERAL (
        SELECT least(count(*), ${FULL_LOAD}) AS live_nodes FROM (
          SELECT state FROM escrow_nodes n WHERE n.worker_agent_id = found.id
          ORDER BY n.task_id DESC, n.number DESC LIMIT ${MAX_COUNTED_NODES}
        ) AS newest WHERE state NOT IN ('released', 'refunded')
      ) AS load
      LEFT JOIN reputation_records r ON r.agent_id = found.id
      ORDER BY found.relevance DESC, found.id`,
  };
}

/** A candidate, as the text that Postgres sent. */
export interface CandidateRow {
  id: string;
  account_id: string;
  wallet_address: string;
  status: AgentStatus;
  available: 'true' | 'false';
  relevance: string;
  /** JSON array of texts. */
  matched_capabilities: string;
  live_nodes: string;
  score: string | null;
  independence_confidence: string | null;
  settled_value: string | null;
}
