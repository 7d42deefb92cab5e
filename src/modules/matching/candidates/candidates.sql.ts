import type { PreparedStatement } from '../../../platform/database/transactions.js';
import type { AgentStatus } from '../../agents/agent.entity.js';
import { availableSql } from '../../agents/agent.lifecycle.js';
import { IDENTITY, IMPRESSIONS, LIVE_NODES, shownFor } from '../agent-facts.sql.js';
import { RANKED_REPUTATION, type RankedReputationColumns } from '../reputation-row.js';

/**
 * The hard filters for an agent `a`, so that no limit fills with agents that cannot be hired; eligibility.ts decides.
 * The accounts and the refusals are few, and were looked up before ($4, $6).
 */
const MAY_BE_HIRED = `a.status = 'active' AND ${availableSql('a', '$7::timestamptz')}
  AND a.account_id <> ALL ($4::text[]) AND a.wallet_address <> $5 AND a.id <> ALL ($6::text[])`;

/** What is read of an agent `a` but its texts. */
const AGENT = `a.number, a.id, a.account_id, a.wallet_address, a.status,
  ${availableSql('a', '$7::timestamptz')} AS available`;

/**
 * Relevance of the agent `a`: the sum of idf ($2) and impact over the words ($1) that it has. By position in the array:
 * a join would look through all words for each posting.
 */
const RELEVANCE = `(
  SELECT coalesce(sum(p.impact * ($2::integer[])[array_position($1::integer[], p.term_id)]), 0)
  FROM match_postings p WHERE p.agent_number = a.number AND p.term_id = ANY($1::integer[]))`;

/** An impression by the task itself ($3) does not count: to look again must not change the places. */
const FACTS = `${IDENTITY}, a.status,
  a.available::text AS available, (a.id = ANY ($6::text[]))::text AS refused_before,
  ${RELEVANCE} AS relevance,
  ${LIVE_NODES} AS live_nodes,
  ${IMPRESSIONS} - (CASE WHEN a.id IN (${shownFor('$3')}) THEN 1 ELSE 0 END) AS impressions,
  ${RANKED_REPUTATION}`;

/**
 * Those of the agents $8 that may be hired, in no order. What belongs to an agent is looked up agent by agent: how many
 * there are no plan knows. rule: design/ranking.md §5.1
 *
 * $1 words, $2 their idf, $3 task, $4 accounts behind the buyer, $5 its wallet, $6 agents that have refused, $7 now.
 */
export const CANDIDATES: PreparedStatement = {
  name: 'match_candidates',
  text: `SELECT ${FACTS}
    FROM (
      SELECT a.* FROM unnest($8::integer[]) AS found (number)
      CROSS JOIN LATERAL (SELECT ${AGENT} FROM agents a WHERE a.number = found.number AND ${MAY_BE_HIRED} OFFSET 0) AS a
    ) AS a
    LEFT JOIN reputation_records r ON r.agent_id = a.id`,
};

/**
 * What is known of one agent ($8), whether or not it may be hired, and how many of the words $9 it has: only active agents
 * have postings. The other parameters are those of `CANDIDATES`.
 */
export const ONE_CANDIDATE: PreparedStatement = {
  name: 'match_one_candidate',
  text: `WITH of_others AS (SELECT $4::text[], $5::text)
    SELECT ${FACTS}, a.common
    FROM (
      SELECT ${AGENT}, (SELECT count(*) FROM unnest(a.search) WHERE lexeme = ANY($9::text[])) AS common
      FROM agents a WHERE a.id = $8
    ) AS a
    LEFT JOIN reputation_records r ON r.agent_id = a.id`,
};

/** A candidate, as the text that Postgres sent. */
export interface CandidateRow extends RankedReputationColumns {
  number: string;
  id: string;
  account_id: string;
  owner_cluster: string;
  wallet_address: string;
  status: AgentStatus;
  available: 'true' | 'false';
  refused_before: 'true' | 'false';
  relevance: string;
  live_nodes: string;
  impressions: string;
}
