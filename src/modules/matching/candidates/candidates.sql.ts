import type { PreparedStatement } from '../../../platform/database/transactions.js';
import type { AgentStatus } from '../../agents/agent.entity.js';
import { availableSql } from '../../agents/agent.lifecycle.js';
import { IDENTITY, IMPRESSIONS, LIVE_NODES, shownFor } from '../agent-facts.sql.js';
import { type RankedReputationColumns, rankedReputationSql } from '../reputation-row.js';

/**
 * The hard filters for an agent `a`, so that no limit fills with agents that cannot be hired; eligibility.ts decides.
 * The accounts and the refusals are few, and were looked up before.
 *
 * Parameters of all statements here: $1 task, $2 accounts behind the buyer, $3 its wallet, $4 agents that have refused, $5
 * now, $6 the agents.
 */
const MAY_BE_HIRED = `a.status = 'active' AND ${availableSql('a', '$5::timestamptz')}
  AND a.account_id <> ALL ($2::text[]) AND a.wallet_address <> $3 AND a.id <> ALL ($4::text[])`;

/** Impressions but for one by the task itself: to look again must not change the places. */
const forOtherTasks = (impressions: string): string =>
  `${impressions} - (CASE WHEN a.id IN (${shownFor('$1')}) THEN 1 ELSE 0 END) AS impressions`;

/**
 * Those of the agents $6 that may be hired, in no order, by the rows that are kept of them, with all their postings.
 * rule: design/ranking.md §5.1
 */
export const KEPT_CANDIDATES: PreparedStatement = {
  name: 'match_kept_candidates',
  text: `SELECT a.number, a.id, a.account_id, a.owner_cluster, a.wallet_address,
      encode(a.postings, 'base64') AS postings, a.live_nodes, ${forOtherTasks('a.impressions')}, ${rankedReputationSql('a')}
    FROM unnest($6::integer[]) AS found (number)
    CROSS JOIN LATERAL (SELECT * FROM match_agents a WHERE a.number = found.number AND ${MAY_BE_HIRED} OFFSET 0) AS a`,
};

/** What is read of an agent `a` but its texts. */
const AGENT = 'a.number, a.id, a.account_id, a.wallet_address';

/**
 * Relevance of the agent `a`: the sum of idf ($8) and impact over the words ($7) that it has. By position in the array:
 * a join would look through all words for each posting.
 */
const RELEVANCE = `(
  SELECT coalesce(sum(p.impact * ($8::integer[])[array_position($7::integer[], p.term_id)]), 0)
  FROM match_postings p WHERE p.agent_number = a.number AND p.term_id = ANY($7::integer[]))`;

const FACTS = `${IDENTITY},
  ${RELEVANCE} AS relevance,
  ${LIVE_NODES} AS live_nodes,
  ${forOtherTasks(IMPRESSIONS)},
  ${rankedReputationSql('r')}`;

/**
 * The same by the tables that say it. What belongs to an agent is looked up agent by agent: how many there are no plan
 * knows. $7 words, $8 their idf.
 */
export const CANDIDATES: PreparedStatement = {
  name: 'match_candidates',
  text: `SELECT ${FACTS}
    FROM (
      SELECT a.* FROM unnest($6::integer[]) AS found (number)
      CROSS JOIN LATERAL (SELECT ${AGENT} FROM agents a WHERE a.number = found.number AND ${MAY_BE_HIRED} OFFSET 0) AS a
    ) AS a
    LEFT JOIN reputation_records r ON r.agent_id = a.id`,
};

/**
 * What is known of one agent ($6), whether or not it may be hired, and how many of the words $9 it has: only active agents
 * have postings. $7 and $8 as in `CANDIDATES`.
 */
export const ONE_CANDIDATE: PreparedStatement = {
  name: 'match_one_candidate',
  text: `WITH of_others AS (SELECT $2::text[], $3::text)
    SELECT ${FACTS}, a.status, a.available::text AS available, (a.id = ANY ($4::text[]))::text AS refused_before, a.common
    FROM (
      SELECT ${AGENT}, a.status, ${availableSql('a', '$5::timestamptz')} AS available,
        (SELECT count(*) FROM unnest(a.search) WHERE lexeme = ANY($9::text[])) AS common
      FROM agents a WHERE a.id = $6
    ) AS a
    LEFT JOIN reputation_records r ON r.agent_id = a.id`,
};

/** What is known of an agent but its relevance, as the text that Postgres sent. */
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
  /** relevance/packed-postings.ts */
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
