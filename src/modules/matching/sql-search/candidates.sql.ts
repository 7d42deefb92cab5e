import type { PreparedStatement } from '../../../platform/database/transactions.js';
import type { AgentStatus } from '../../agents/agent/agent.entity.js';
import { availableSql } from '../../agents/agent/agent.lifecycle.js';
import { IDENTITY, IMPRESSIONS, LIVE_NODES } from '../search-tables/agent-facts.sql.js';
import { type RankedReputationColumns, rankedReputationSql } from '../ranking/reputation-row.js';

/**
 * The hard filters for an agent `a`, so that agents that cannot be hired fill no limit; eligibility.ts has the last word.
 * The accounts and the refusals are few, and are read before.
 *
 * Parameters of all statements here: $1 accounts behind the buyer, $2 its wallet, $3 agents that have refused, $4 now, $5
 * the agents.
 */
const MAY_BE_HIRED = `a.status = 'active' AND ${availableSql('a', '$4::timestamptz')}
  AND a.account_id <> ALL ($1::text[]) AND a.wallet_address <> $2 AND a.id <> ALL ($3::text[])`;

/**
 * Those of the agents $5 that may be hired, in no order, from their rows in `match_agents`, with all their postings.
 * rule: docs/decisions/ranking.md#search-in-sql
 */
export const KEPT_CANDIDATES: PreparedStatement = {
  name: 'match_kept_candidates',
  text: `SELECT a.number, a.id, a.account_id, a.owner_cluster, a.wallet_address,
      encode(a.postings, 'base64') AS postings, a.live_nodes, a.impressions, ${rankedReputationSql('a')}
    FROM unnest($5::integer[]) AS found (number)
    CROSS JOIN LATERAL (SELECT * FROM match_agents a WHERE a.number = found.number AND ${MAY_BE_HIRED} OFFSET 0) AS a`,
};

/** The columns of an agent `a` that are read besides its texts. */
const AGENT = 'a.number, a.id, a.account_id, a.wallet_address';

/**
 * Relevance of the agent `a`: the sum of idf ($7) times impact over the words ($6) that it has. The idf is found by its
 * position in the array, because a join would look through all words for each posting.
 */
const RELEVANCE = `(
  SELECT coalesce(sum(p.impact * ($7::integer[])[array_position($6::integer[], p.term_id)]), 0)
  FROM match_postings p WHERE p.agent_number = a.number AND p.term_id = ANY($6::integer[]))`;

const FACTS = `${IDENTITY},
  ${RELEVANCE} AS relevance,
  ${LIVE_NODES} AS live_nodes,
  ${IMPRESSIONS} AS impressions,
  ${rankedReputationSql('r')}`;

/**
 * As `KEPT_CANDIDATES`, from the tables that `match_agents` is made of, with the relevance. The rows of an agent are looked
 * up agent by agent, because the planner cannot know how many agents there are. $6 words, $7 their idf.
 */
export const CANDIDATES: PreparedStatement = {
  name: 'match_candidates',
  text: `SELECT ${FACTS}
    FROM (
      SELECT a.* FROM unnest($5::integer[]) AS found (number)
      CROSS JOIN LATERAL (SELECT ${AGENT} FROM agents a WHERE a.number = found.number AND ${MAY_BE_HIRED} OFFSET 0) AS a
    ) AS a
    LEFT JOIN reputation_records r ON r.agent_id = a.id`,
};

/**
 * What is known of one agent ($5), whether or not it may be hired, and how many of the words $8 its texts have: postings
 * would not tell, because only active agents have them. $6 and $7 as in `CANDIDATES`.
 */
export const ONE_CANDIDATE: PreparedStatement = {
  name: 'match_one_candidate',
  text: `WITH of_others AS (SELECT $1::text[], $2::text)
    SELECT ${FACTS}, a.status, a.available::text AS available, (a.id = ANY ($3::text[]))::text AS refused_before, a.common
    FROM (
      SELECT ${AGENT}, a.status, ${availableSql('a', '$4::timestamptz')} AS available,
        (SELECT count(*) FROM unnest(a.search) WHERE lexeme = ANY($8::text[])) AS common
      FROM agents a WHERE a.id = $5
    ) AS a
    LEFT JOIN reputation_records r ON r.agent_id = a.id`,
};

/** What is known of an agent without its relevance, as the text that Postgres sent. */
export interface CandidateRow extends RankedReputationColumns {
  number: string;
  id: string;
  account_id: string;
  owner_cluster: string;
  wallet_address: string;
  live_nodes: string;
  impressions: string;
}

/** A row of `KEPT_CANDIDATES`. */
export interface KeptRow extends CandidateRow {
  /** Base64 of packed postings (relevance/packed-postings.ts). */
  postings: string;
}

/** A row of `CANDIDATES`. */
export interface RelevantRow extends CandidateRow {
  relevance: string;
}

/** A row of `ONE_CANDIDATE`. */
export interface OneRow extends CandidateRow {
  status: AgentStatus;
  available: 'true' | 'false';
  refused_before: 'true' | 'false';
  common: string;
}
