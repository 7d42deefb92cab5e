import { listsOf } from '../../../platform/database/prepared-lists.js';
import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { REPEATS_COUNTED } from '../score/reputation-constants.js';
import { clusterOf, principalsOf } from '../clusters/clusters.sql-views.js';
import { counterpartsOf, paidBetween } from './netting.sql.js';
import type { OutcomeCounts } from './outcome-counts.js';
import { PAYER_SQL } from '../clusters/principals.js';
import { hasFew } from '../settlements/few-settlements.sql.js';

/**
 * The clusters of payers and workers that met, pair by pair: $1 payers and $2 workers, as principals, $3 wallets that paid,
 * $4 wallets that worked, $5 the agents. Also the other agents that the meeting may concern, read before any is locked.
 */
export const MEETINGS: PreparedStatement = {
  name: 'evidence_meetings',
  text: `SELECT buyer_cluster, worker_cluster,
      buyer_cluster = worker_cluster OR payer_wallet = worker_wallet OR shares_wallet(payer, worker) AS is_own,
      waits_to_be_counted(met.agent) AS must_rebuild,
      ${counterpartsOf('worker_cluster', 'buyer_cluster')} AS counterparts,
      (SELECT ${counterpartsOf('known.worker_cluster_id', 'known.buyer_cluster_id')} FROM buyer_evidence known
        WHERE known.agent_id = met.agent AND known.buyer_cluster_id = met.buyer_cluster
          AND known.worker_cluster_id <> met.worker_cluster) AS former_counterparts
    FROM (
      SELECT payer, worker, payer_wallet, worker_wallet, agent, ${clusterOf('payer')} AS buyer_cluster,
        ${clusterOf('worker')} AS worker_cluster, position
      FROM unnest(${listsOf('text', 'text', 'text', 'text', 'text')}) WITH ORDINALITY
        AS met (payer, worker, payer_wallet, worker_wallet, agent, position)
    ) AS met
    ORDER BY position`,
};

export interface MeetingRow {
  buyer_cluster: string;
  worker_cluster: string;
  is_own: boolean;
  /** True when the agent waits to be counted anew. */
  must_rebuild: boolean;
  /** The buyer's agents that the agent's owner has paid: their net values change with the value of the pair. */
  counterparts: string[] | null;
  /** The same for the owner in the stored evidence, when that is another one. */
  former_counterparts: string[] | null;
}

/**
 * What is known of the agents $1 and the clusters $2, pair by pair; $3 are the clusters that are the agents' owners now.
 * One row for each pair, in their order.
 */
export const KNOWN_PAIRS: PreparedStatement = {
  name: 'evidence_known_pairs',
  text: `SELECT worker_cluster_id AS worker, career_good::text AS career_good, career_bad::text AS career_bad,
      recent_good::text AS recent_good, recent_bad::text AS recent_bad, gross_value::text AS gross, settlements, left_out,
      outcomes, (SELECT wallet_address FROM agents WHERE id = pair.agent) AS wallet,
      waits_to_be_counted(pair.agent) AS must_rebuild,
      (SELECT independence FROM buyer_independence WHERE cluster_id = pair.buyer) AS independence,
      CASE WHEN known.worker_cluster_id = pair.worker THEN known.returned
        ELSE ${paidBetween('pair.worker', 'pair.buyer')} END::text AS returned,
      known.returned::text AS netted
    FROM unnest(${listsOf('text', 'text', 'text')}) WITH ORDINALITY AS pair (agent, buyer, worker, position)
    LEFT JOIN buyer_evidence known ON known.agent_id = pair.agent AND known.buyer_cluster_id = pair.buyer
    ORDER BY position`,
};

/** When no evidence of the pair is stored, the columns before `wallet` are null, and so is `netted`. */
export interface KnownPairRow {
  worker: string | null;
  career_good: string;
  career_bad: string;
  recent_good: string;
  recent_bad: string;
  gross: string;
  settlements: number;
  left_out: boolean;
  outcomes: OutcomeCounts;
  /** Wallet that the agent has now; null when the agent does not exist. */
  wallet: string | null;
  must_rebuild: boolean;
  /** Independence of the buyer; null when no finished run has seen the buyer. */
  independence: number | null;
  /** What the agent's owner has paid to the buyer's agents. */
  returned: string;
  /** The returned value that is stored now. */
  netted: string | null;
}

const side = (comparison: '<' | '>=', direction: 'ASC' | 'DESC', count: number): string => `(
      SELECT near.*, '${comparison}' = '>=' AS is_after
      FROM ${principalsOf('change.buyer')} AS paying
      CROSS JOIN LATERAL (
        SELECT node_id, amount, released, outcome, settled_at, worker_wallet FROM settlements
        WHERE agent_id = change.agent AND ${PAYER_SQL} = paying.principal
          AND (settled_at, node_id COLLATE "C") ${comparison} (change.at, change.node COLLATE "C")
        ORDER BY settled_at ${direction}, node_id COLLATE "C" ${direction} LIMIT ${count}
      ) AS near
      ORDER BY settled_at ${direction}, node_id COLLATE "C" ${direction} LIMIT ${count}
    )`;

/**
 * The settlements of pairs around given places. A place is, row by row, the agent $1, the cluster $2 that paid it, the time
 * $3 and the node $4. Before and after each place as many are read as a settlement that comes or goes there can affect.
 * They come in order of time, each once per pair; `is_after` is true for one at or after any of the pair's places.
 */
export const NEIGHBOURS: PreparedStatement = {
  name: 'evidence_neighbours',
  text: `SELECT change.agent, change.buyer, near.node_id, near.amount::text AS amount, near.released::text AS released,
      near.outcome, near.settled_at, near.worker_wallet, bool_or(near.is_after) AS is_after
    FROM unnest(${listsOf('text', 'text', 'timestamptz', 'text')}) AS change (agent, buyer, at, node)
    CROSS JOIN LATERAL (
      ${side('<', 'DESC', REPEATS_COUNTED)}
      UNION ALL
      ${side('>=', 'ASC', REPEATS_COUNTED + 1)}
    ) AS near
    GROUP BY change.agent, change.buyer, near.node_id, near.amount, near.released, near.outcome, near.settled_at,
      near.worker_wallet
    ORDER BY near.settled_at, near.node_id COLLATE "C"`,
};

export interface NeighbourRow {
  agent: string;
  buyer: string;
  node_id: string;
  amount: string;
  released: string;
  outcome: string;
  settled_at: Date;
  worker_wallet: string;
  is_after: boolean;
}

/**
 * While the index catches up, an agent with at most this many settlements is counted once it has caught up; the number is
 * below that of `FEW_OF`, so that the agent still has few settlements then.
 */
const FEW_TO_LEAVE = 500;

const settledAtMost = (count?: number): string =>
  `SELECT agent_id FROM unnest(${listsOf('text')}) AS agent (agent_id) WHERE ${hasFew('agent.agent_id', count)}`;

/** Those of the agents $1 that have few settlements. */
export const FEW_OF: PreparedStatement = { name: 'evidence_few_of', text: settledAtMost() };

/** Those of the agents $1 that have so few that all can be counted at the end. */
export const FEW_TO_LEAVE_OF: PreparedStatement = {
  name: 'evidence_few_to_leave_of',
  text: settledAtMost(FEW_TO_LEAVE),
};
