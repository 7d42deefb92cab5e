import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { PAYER_SQL, WORKER_SQL } from './principals.js';

const LOCK = `SELECT pg_advisory_xact_lock(${0x7a5c}, ${0x3e41})`;

/**
 * Held by whoever writes evidence, until the end of the transaction: blocks and trust runs take turns. The digits have no
 * meaning.
 */
export const LOCK_EVIDENCE: PreparedStatement = { name: 'evidence_lock', text: LOCK };

/**
 * Waits for the lock, then notes that the evidence of the agents $1 changes, and says which of them have none yet for
 * older settlements. What others wrote meanwhile only the next statement sees, but for the notes themselves: a conflict
 * is settled with the newest row.
 */
export const NOTE_CHANGES: PreparedStatement = {
  name: 'evidence_note_changes',
  text: `WITH turn AS MATERIALIZED (${LOCK})
    INSERT INTO evidence_changes (agent_id, seq, must_rebuild)
    SELECT agent_id, nextval('evidence_changes_seq'), false FROM turn, unnest($1::text[]) AS agent_id
    ON CONFLICT (agent_id) DO UPDATE SET seq = excluded.seq RETURNING agent_id, must_rebuild`,
};

export interface NotedRow {
  agent_id: string;
  must_rebuild: boolean;
}

/**
 * Waits for the lock, then has the evidence of agent $1, if there is any, counted anew with its next settlement or by the
 * next run, whichever comes first.
 */
export const NOTE_REBUILD: PreparedStatement = {
  name: 'evidence_note_rebuild',
  text: `WITH turn AS MATERIALIZED (${LOCK})
    INSERT INTO evidence_changes (agent_id, seq, must_rebuild)
    SELECT $1, nextval('evidence_changes_seq'), true FROM turn
    WHERE EXISTS (SELECT FROM settlements WHERE agent_id = $1)
    ON CONFLICT (agent_id) DO UPDATE SET seq = excluded.seq, must_rebuild = true`,
};

/** The agents $1 have evidence for all of their settlements. */
export const NOTE_REBUILT: PreparedStatement = {
  name: 'evidence_note_rebuilt',
  text: `UPDATE evidence_changes SET must_rebuild = false WHERE agent_id = ANY($1) AND must_rebuild`,
};

const walletsOf = (principal: string): string => `
  SELECT wallet_address AS address FROM accounts WHERE id = ${principal} AND wallet_address IS NOT NULL
  UNION ALL SELECT address FROM account_wallets WHERE account_id = ${principal}
  UNION ALL SELECT wallet_address FROM agents WHERE account_id = ${principal}
  UNION ALL SELECT substr(${principal}, 8) WHERE ${principal} LIKE 'wallet\\_%'`;

/** Cluster of an account or of a wallet without one; without a row it is its own. */
export const clusterOf = (principal: string): string =>
  `coalesce((SELECT cluster_id FROM account_clusters WHERE account_id = ${principal}), ${principal})`;

/**
 * Settlements in order of time, each with the clusters of its payer and its worker. Those who have a wallet in common at
 * this moment are of one principal too: a run will make one cluster of them, and until then self-dealing must not pay.
 */
const settlementsWhere = (condition: string): string => `WITH own AS MATERIALIZED (
    SELECT agent_id, ${PAYER_SQL} AS payer, payer_wallet, ${WORKER_SQL} AS worker, worker_wallet, amount, released, outcome,
      settled_at, node_id
    FROM settlements WHERE ${condition}
  ), pair AS MATERIALIZED (
    SELECT payer, worker, ${clusterOf('payer')} AS buyer_cluster, ${clusterOf('worker')} AS worker_cluster,
      EXISTS ((${walletsOf('payer')}) INTERSECT (${walletsOf('worker')})) AS shares_wallet
    FROM (SELECT DISTINCT payer, worker FROM own) AS met
  )
  SELECT agent_id, buyer_cluster, worker_cluster,
    buyer_cluster = worker_cluster OR shares_wallet OR payer_wallet = worker_wallet AS is_own,
    coalesce(worker_wallet = (SELECT wallet_address FROM agents WHERE id = agent_id), true) AS is_present_wallet,
    amount::text AS amount, released::text AS released, outcome, settled_at
  FROM own JOIN pair USING (payer, worker) ORDER BY settled_at, node_id COLLATE "C"`;

/**
 * The settlements of agent $1 with the cluster of the principal $2. One pair at a time, here and below: a plan for lists
 * of unknown length would be thought out anew each time, which takes longer than to run it.
 */
export const SETTLEMENTS_WITH: PreparedStatement = {
  name: 'evidence_settlements_with',
  text: settlementsWhere(`agent_id = $1 AND ${PAYER_SQL} = ANY(ARRAY(
    SELECT ${clusterOf('$2')}
    UNION ALL SELECT account_id FROM account_clusters WHERE cluster_id = ${clusterOf('$2')}))`),
};

/** Every settlement of agent $1. */
export const SETTLEMENTS_OF: PreparedStatement = {
  name: 'evidence_settlements_of',
  text: settlementsWhere('agent_id = $1'),
};

export interface SettlementRow {
  agent_id: string;
  buyer_cluster: string;
  worker_cluster: string;
  /** True for what one principal pays to itself. */
  is_own: boolean;
  amount: string;
  released: string;
  outcome: string;
  settled_at: Date;
  /** True for work of the wallet that the agent has now. */
  is_present_wallet: boolean;
}

/** Takes away all that is said about agent $1. */
export const FORGET_EVIDENCE: PreparedStatement = {
  name: 'evidence_forget',
  text: `DELETE FROM buyer_evidence WHERE agent_id = $1
    RETURNING buyer_cluster_id AS buyer, worker_cluster_id AS worker`,
};

/** Two clusters, one of which was paid by the other. */
export interface ClusterPair {
  buyer: string;
  worker: string;
}

const COLUMNS = `agent_id, buyer_cluster_id, worker_cluster_id, career_good, career_bad, recent_good, recent_bad, gross_value,
  settlements, outcomes`;

/** Evidence of an agent that has none: `$1` the agent, `$2` to `$10` arrays of equal length, one row each. */
export const WRITE_EVIDENCE: PreparedStatement = {
  name: 'evidence_write',
  text: `INSERT INTO buyer_evidence (${COLUMNS})
    SELECT $1, buyer, worker, career_good, career_bad, recent_good, recent_bad, gross, count, outcomes::jsonb
    FROM unnest($2::text[], $3::text[], $4::float8[], $5::float8[], $6::float8[], $7::float8[], $8::numeric[],
      $9::integer[], $10::text[]) AS row (buyer, worker, career_good, career_bad, recent_good, recent_bad, gross, count,
      outcomes)`,
};

/**
 * Puts the values `$1` to `$10` in the place of what is known of this agent and buyer, and answers the buyer's agents whom
 * the agent's owner has paid: what these net is another now.
 */
export const PUT_EVIDENCE: PreparedStatement = {
  name: 'evidence_put',
  text: `WITH old AS MATERIALIZED (
      SELECT worker_cluster_id FROM buyer_evidence WHERE agent_id = $1 AND buyer_cluster_id = $2
    ), put AS (
      INSERT INTO buyer_evidence (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb)
      ON CONFLICT (agent_id, buyer_cluster_id) DO UPDATE SET ${COLUMNS.split(',')
        .slice(2)
        .map((column) => `${column.trim()} = excluded.${column.trim()}`)
        .join(', ')}
    )
    SELECT DISTINCT agent_id FROM buyer_evidence
    WHERE buyer_cluster_id = ANY(ARRAY(SELECT $3 UNION ALL SELECT worker_cluster_id FROM old)) AND worker_cluster_id = $2`,
};

/** Takes away what the cluster of the principal $2 says about agent $1. */
export const FORGET_EVIDENCE_WITH: PreparedStatement = {
  name: 'evidence_forget_with',
  text: `DELETE FROM buyer_evidence WHERE agent_id = $1 AND buyer_cluster_id = ${clusterOf('$2')}
    RETURNING buyer_cluster_id AS buyer, worker_cluster_id AS worker`,
};

/** Agents of the clusters $2 whom the clusters $1 have paid, pair by pair: what these net has changed. */
export const PAID_BY: PreparedStatement = {
  name: 'evidence_paid_by',
  text: `SELECT DISTINCT evidence.agent_id FROM unnest($1::text[], $2::text[]) AS pair (buyer, worker)
    JOIN buyer_evidence evidence ON evidence.buyer_cluster_id = pair.buyer AND evidence.worker_cluster_id = pair.worker`,
};
