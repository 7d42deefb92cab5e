import { listsOf } from '../../../platform/database/prepared-lists.js';
import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { REPEATS_COUNTED } from '../reputation-constants.js';
import { clusterOf, principalsOf } from './evidence.sql.js';
import { PAYER_SQL } from './principals.js';

/**
 * Who stands behind payers and workers that met, pair by pair: $1 payers and $2 workers, as principals, $3 wallets that
 * paid, $4 wallets that worked.
 */
export const MEETINGS: PreparedStatement = {
  name: 'evidence_meetings',
  text: `SELECT buyer_cluster, worker_cluster,
      buyer_cluster = worker_cluster OR payer_wallet = worker_wallet OR shares_wallet(payer, worker) AS is_own
    FROM (
      SELECT payer, worker, payer_wallet, worker_wallet, ${clusterOf('payer')} AS buyer_cluster,
        ${clusterOf('worker')} AS worker_cluster, position
      FROM unnest(${listsOf('text', 'text', 'text', 'text')}) WITH ORDINALITY
        AS met (payer, worker, payer_wallet, worker_wallet, position)
    ) AS met
    ORDER BY position`,
};

export interface MeetingRow {
  buyer_cluster: string;
  worker_cluster: string;
  is_own: boolean;
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
      ARRAY(
        SELECT back.agent_id FROM unnest(ARRAY[pair.worker, nullif(known.worker_cluster_id, pair.worker)]) AS owner (cluster)
        JOIN buyer_evidence back ON back.buyer_cluster_id = owner.cluster AND back.worker_cluster_id = pair.buyer
      ) AS counterparts
    FROM unnest(${listsOf('text', 'text', 'text')}) WITH ORDINALITY AS pair (agent, buyer, worker, position)
    LEFT JOIN buyer_evidence known ON known.agent_id = pair.agent AND known.buyer_cluster_id = pair.buyer
    ORDER BY position`,
};

/** But for the wallet and the counterparts all is null when nothing is known. */
export interface KnownPairRow {
  worker: string | null;
  career_good: string;
  career_bad: string;
  recent_good: string;
  recent_bad: string;
  gross: string;
  settlements: number;
  left_out: boolean;
  outcomes: Record<string, number>;
  /** That the agent has now; null for an agent that is not there. */
  wallet: string | null;
  /** The buyer's agents whom the agent's owner has paid: what these net is another when the pair's value is. */
  counterparts: string[];
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
 * The settlements of pairs around places: row by row the agent $1, the cluster $2 that paid it, and the place as its time
 * $3 and node $4. As many before and after each place as can concern one that comes or goes there. Of each pair in order of
 * time, each once; `is_after` says that it is at or after one of the pair's places.
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

/** An agent with no more settlements than this is counted anew as soon as it settles. */
const FEW = 1_000;

/** Those of the agents $1 that have few settlements. */
export const FEW_OF: PreparedStatement = {
  name: 'evidence_few_of',
  text: `SELECT agent_id FROM unnest($1::text[]) AS agent (agent_id)
    WHERE (SELECT count(*) FROM (SELECT FROM settlements own WHERE own.agent_id = agent.agent_id LIMIT ${FEW + 1}) AS found)
      <= ${FEW}`,
};
