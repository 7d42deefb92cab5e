import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { PAYER_SQL, WORKER_SQL } from '../../reputation/clusters/principals.js';
import { IDENTITY, IMPRESSIONS, LIVE_NODES } from '../search-tables/agent-facts.sql.js';
import { integersIn } from '../relevance/pg-array.js';
import { IS_INDEPENDENT, WAS_PAID } from '../search-tables/settled-briefs/settled-agents.sql.js';
import type { MatchChangeKind } from '../search-tables/match-changes.js';
import { type RankedReputationColumns, rankedReputationIn, rankedReputationSql } from '../ranking/reputation-row.js';
import type { AgentAttributes } from './columns/agent-attributes.js';
import type { Posted } from '#libs/text-search';
import type { PaidWork, Principals } from './columns/settled-work.js';

/** Most documents that one statement reads. */
export const READ_AT_ONCE = 2_000;

/** A document with its words, as `pg` parses it. */
export interface PostedRow {
  number: number;
  /** Arrays of Postgres, as text; null for a document without words. */
  terms: string | null;
  weights: string | null;
}

/** What the index keeps of an agent beside its words, as `pg` parses it. */
export interface AgentFactRow extends RankedReputationColumns {
  number: number;
  id: string;
  account_id: string;
  owner_cluster: string;
  wallet_address: string;
  /** False for an agent that is not active. */
  available: boolean;
  /** Milliseconds since 1970, or null. */
  until_ms: number | null;
  live_nodes: string;
  impressions: number;
}

/** An agent as the index keeps it. */
export type IndexedAgentRow = PostedRow & AgentFactRow;

/** A settled brief, as `pg` parses it. */
export interface BriefRow extends PostedRow {
  /** Settlements of its task that were paid: agent, payer and worker of each. */
  paid_work: [number, string, string][] | null;
}

/** What a trust run has found about a principal, as `pg` parses it. */
export interface TrustRow {
  id: string;
  /** The cluster of the principal; null when `id` is a cluster that counts as an independent buyer. */
  cluster_id: string | null;
}

const FACTS = `${IDENTITY}, (a.status = 'active' AND a.available) AS available,
    CASE WHEN a.status = 'active' THEN (extract(epoch FROM a.available_until) * 1000)::float8 END AS until_ms,
    ${LIVE_NODES} AS live_nodes, ${IMPRESSIONS} AS impressions, ${rankedReputationSql('r')}`;

const AGENTS = `SELECT ${FACTS}, p.terms, p.weights
  FROM agents a LEFT JOIN reputation_records r ON r.agent_id = a.id
  CROSS JOIN LATERAL (
    SELECT array_agg(term_id)::text AS terms, array_agg(impact)::text AS weights
    FROM match_postings WHERE agent_number = a.number
  ) AS p`;

const BRIEFS = `SELECT b.number, p.terms, p.weights, w.paid_work
  FROM match_briefs b CROSS JOIN LATERAL (
    SELECT array_agg(term_id)::text AS terms, array_agg(weight)::text AS weights
    FROM match_brief_postings WHERE brief_number = b.number AND weight > 0
  ) AS p
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_array(agent_number, ${PAYER_SQL}, ${WORKER_SQL})) AS paid_work
    FROM settlements s WHERE s.task_id = b.task_id AND ${WAS_PAID}
  ) AS w`;

/** Statements for one kind of document: the counts of all words, the documents above number $1, those of the numbers $1. */
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

/** Agents of the numbers $1 without their words. */
export const AGENT_FACTS: PreparedStatement = {
  name: 'match_index_agent_facts_of',
  text: `SELECT ${FACTS} FROM agents a LEFT JOIN reputation_records r ON r.agent_id = a.id
    WHERE a.number = ANY($1::integer[])`,
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

/** The clusters of principals that share one with others, and the clusters that are independent buyers. */
export const TRUST: PreparedStatement = {
  name: 'match_index_trust',
  text: `SELECT account_id AS id, cluster_id FROM account_clusters
    UNION ALL SELECT cluster_id, NULL FROM buyer_independence WHERE ${IS_INDEPENDENT}`,
};

/** The oldest transaction that has not ended: what it and later transactions have written may not be visible yet. */
export const HORIZON: PreparedStatement = {
  name: 'match_index_horizon',
  text: 'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon',
};

/** Changes by the transactions from $1 on, with the horizon (see `HORIZON`) of this statement. */
export const CHANGES: PreparedStatement = {
  name: 'match_index_changes',
  text: `SELECT seq, kind, agent_number, agent_numbers, brief_number, pg_snapshot_xmin(pg_current_snapshot())::text AS horizon
    FROM match_changes WHERE transaction_id >= $1::bigint ORDER BY seq`,
};

export interface ChangeRow {
  seq: string;
  kind: MatchChangeKind;
  agent_number: number | null;
  agent_numbers: number[] | null;
  brief_number: number | null;
  horizon: string;
}

/** The attributes in a row under the program's own names. */
export function factOf(row: AgentFactRow): AgentAttributes {
  return {
    agentId: row.id,
    accountId: row.account_id,
    ownerCluster: row.owner_cluster,
    walletAddress: row.wallet_address,
    liveNodes: Number(row.live_nodes),
    impressions: row.impressions,
    reputation: rankedReputationIn(row),
  };
}

/** The words of a row; none for a document without any. */
export function postedOf({ terms, weights }: PostedRow): Posted {
  return { terms: Uint32Array.from(integersIn(terms ?? '')), weights: Uint8Array.from(integersIn(weights ?? '')) };
}

/** The paid settlements of a brief. */
export function paidWorkOf({ paid_work }: BriefRow): PaidWork[] {
  return (paid_work ?? []).map(([agentNumber, payer, worker]) => ({ agentNumber, payer, worker }));
}

/** The clusters and independent buyers in rows of `TRUST`. */
export function principalsOf(rows: readonly TrustRow[]): Principals {
  return {
    clusters: new Map(rows.flatMap(({ id, cluster_id }) => (cluster_id === null ? [] : [[id, cluster_id]]))),
    independent: rows.flatMap(({ id, cluster_id }) => (cluster_id === null ? [id] : [])),
  };
}
