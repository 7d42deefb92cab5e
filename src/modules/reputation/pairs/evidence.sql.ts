import { listsOf } from '../../../platform/database/prepared-lists.js';
import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { clusterOf, isProvedByAnother, principalsOf } from '../clusters/clusters.sql-views.js';
import { PAYER_SQL, WORKER_SQL } from '../clusters/principals.js';
import { hasFew } from '../settlements/few-settlements.sql.js';

const KEYS = `${0x7a5c}, ${0x3e41}`;
const TURN = `SELECT pg_advisory_xact_lock_shared(${KEYS})`;

/**
 * The lock of a trust run while it writes: it waits for blocks that are being written, and later blocks wait for the run.
 * Blocks and owners share `SHARE_EVIDENCE` and wait for each other only at agents that both concern. The key's digits have
 * no meaning.
 */
export const LOCK_EVIDENCE: PreparedStatement = {
  name: 'evidence_lock',
  text: `SELECT pg_advisory_xact_lock(${KEYS})`,
};

/** Keeps trust runs from writing until the end of the transaction. */
export const SHARE_EVIDENCE: PreparedStatement = { name: 'evidence_share', text: TURN };

/** Adds notes of changes of agents' evidence; the transaction is `THIS_TRANSACTION`. */
export const NOTE = `INSERT INTO evidence_changes (agent_id, transaction_id, must_rebuild)`;
export const THIS_TRANSACTION = 'pg_current_xact_id()::text::bigint';

/**
 * Notes that the evidence of the agents $1, which are sorted, changes. The note locks each agent until the end of the
 * transaction, which must hold SHARE_EVIDENCE or LOCK_EVIDENCE. Only the next statement sees what others wrote while this
 * one waited.
 */
export const NOTE_CHANGES: PreparedStatement = {
  name: 'evidence_note_changes',
  text: `${NOTE} SELECT agent_id, ${THIS_TRANSACTION}, false FROM unnest($1::text[]) AS agent_id
    ON CONFLICT (agent_id) DO UPDATE SET transaction_id = excluded.transaction_id`,
};

/**
 * Waits for a run that writes, then marks the evidence of agent $1, if it has settlements, to be counted anew with its next
 * settlement or by the next run, whichever comes first.
 */
export const NOTE_REBUILD: PreparedStatement = {
  name: 'evidence_note_rebuild',
  text: `WITH turn AS MATERIALIZED (${TURN})
    ${NOTE} SELECT $1, ${THIS_TRANSACTION}, true FROM turn
    WHERE EXISTS (SELECT FROM settlements WHERE agent_id = $1)
    ON CONFLICT (agent_id) DO UPDATE SET transaction_id = excluded.transaction_id, must_rebuild = true`,
};

/** Notes that the agents $1 have evidence for all of their settlements again. */
export const NOTE_REBUILT: PreparedStatement = {
  name: 'evidence_note_rebuilt',
  text: `UPDATE evidence_changes SET must_rebuild = false WHERE agent_id = ANY($1) AND must_rebuild`,
};

/**
 * As NOTE_CHANGES, for agents $1 whose records are still to be made; those whose $2 is true must first be counted anew
 * from all of their settlements.
 */
export const NOTE_DUE: PreparedStatement = {
  name: 'evidence_note_due',
  text: `INSERT INTO evidence_changes AS noted (agent_id, transaction_id, must_rebuild, is_record_due)
    SELECT agent_id, ${THIS_TRANSACTION}, must_rebuild, true
    FROM unnest($1::text[], $2::boolean[]) AS due (agent_id, must_rebuild)
    ON CONFLICT (agent_id) DO UPDATE SET transaction_id = excluded.transaction_id, is_record_due = true,
      must_rebuild = noted.must_rebuild OR excluded.must_rebuild`,
};

/**
 * At most $1 agents whose records are to be made, in the order in which agents are locked. One that waits for a new count and
 * has many settlements is left to the next run, which counts it; its record is made after that.
 */
export const RECORDS_DUE: PreparedStatement = {
  name: 'evidence_records_due',
  text: `SELECT agent_id, must_rebuild FROM evidence_changes due
    WHERE is_record_due AND (NOT must_rebuild OR ${hasFew('due.agent_id')}) ORDER BY agent_id LIMIT $1`,
};

export interface DueRow {
  agent_id: string;
  /** True when the settlements of the agent must be counted anew first. */
  must_rebuild: boolean;
}

/** Notes that the records of the agents $1 are made, but of those that still wait, or wait again, for a new count. */
export const NOTE_RECORDS_MADE: PreparedStatement = {
  name: 'evidence_note_records_made',
  text: `UPDATE evidence_changes SET is_record_due = false
    WHERE agent_id = ANY($1) AND is_record_due AND NOT must_rebuild`,
};

/**
 * Wallets that principals hold at most to be compared as they are; of more, `shares_wallet` reads only some. A claim that
 * does not count is among them as a null, which equals nothing, so that no more than these are read either.
 */
const COMPARED_AT_ONCE = 32;

/**
 * Every settlement of the agents $1 in order of time, each with the clusters of its payer and its worker. A payer and a
 * worker that have a wallet in common now count as one principal: the next run will make them one cluster, and until then
 * self-dealing must not pay.
 */
export const SETTLEMENTS_OF: PreparedStatement = {
  name: 'evidence_settlements_of',
  text: settlementsFrom('settlements WHERE agent_id = ANY($1)'),
};

/** The settlements of the agents $1 that were paid by the clusters $2, pair by pair. */
export const SETTLEMENTS_WITH: PreparedStatement = {
  name: 'evidence_settlements_with',
  text: settlementsFrom(`unnest(${listsOf('text', 'text')}) AS asked (agent, buyer)
      CROSS JOIN LATERAL ${principalsOf('asked.buyer')} AS paying
      CROSS JOIN LATERAL (SELECT * FROM settlements
        WHERE agent_id = asked.agent AND ${PAYER_SQL} = paying.principal OFFSET 0) AS settled`),
};

function settlementsFrom(source: string): string {
  return `WITH own AS MATERIALIZED (
    SELECT agent_id, ${PAYER_SQL} AS payer, payer_wallet, ${WORKER_SQL} AS worker, worker_wallet, amount, released, outcome,
      settled_at, node_id
    FROM ${source}
  ), met AS MATERIALIZED (SELECT DISTINCT payer, worker FROM own), held AS MATERIALIZED (
    SELECT id, ARRAY(
      SELECT wallet_address FROM accounts WHERE accounts.id = principal.id AND wallet_address IS NOT NULL
      UNION ALL SELECT address FROM account_wallets WHERE account_id = principal.id
      UNION ALL SELECT CASE WHEN NOT ${isProvedByAnother('claim.wallet_address', 'principal.id')} THEN wallet_address END
        FROM agents claim WHERE account_id = principal.id
      UNION ALL SELECT substr(principal.id, 8) WHERE principal.id LIKE 'wallet\\_%'
      LIMIT ${COMPARED_AT_ONCE + 1}
    ) AS wallets
    FROM (SELECT payer AS id FROM met UNION SELECT worker FROM met) AS principal
  ), pair AS MATERIALIZED (
    SELECT payer, worker, ${clusterOf('payer')} AS buyer_cluster, ${clusterOf('worker')} AS worker_cluster,
      CASE WHEN greatest(cardinality(ones.wallets), cardinality(others.wallets)) <= ${COMPARED_AT_ONCE}
        THEN ones.wallets && others.wallets ELSE shares_wallet(payer, worker) END AS shares_wallet
    FROM met JOIN held ones ON ones.id = payer JOIN held others ON others.id = worker
  )
  SELECT agent_id, node_id, buyer_cluster, worker_cluster,
    buyer_cluster = worker_cluster OR shares_wallet OR payer_wallet = worker_wallet AS is_own,
    coalesce(worker_wallet = (SELECT wallet_address FROM agents WHERE id = agent_id), true) AS is_present_wallet,
    amount::text AS amount, released::text AS released, outcome, settled_at
  FROM own JOIN pair USING (payer, worker) ORDER BY settled_at, node_id COLLATE "C"`;
}

export interface SettlementRow {
  agent_id: string;
  node_id: string;
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

/** Deletes all evidence about the agents $1. */
export const FORGET_EVIDENCE: PreparedStatement = {
  name: 'evidence_forget',
  text: `DELETE FROM buyer_evidence WHERE agent_id = ANY($1)
    RETURNING buyer_cluster_id AS buyer, worker_cluster_id AS worker, gross_value::text AS gross`,
};

/** Two clusters, one of which was paid by the other. */
export interface ClusterPair {
  buyer: string;
  worker: string;
}

export interface ForgottenRow extends ClusterPair {
  gross: string;
}

const COLUMNS = `agent_id, buyer_cluster_id, worker_cluster_id, career_good, career_bad, recent_good, recent_bad, gross_value,
  returned, settlements, left_out, outcomes`;

/** Replaces the evidence of pairs; `$1` to `$12` are arrays of equal length with one element for each row. */
export const PUT_EVIDENCE: PreparedStatement = {
  name: 'evidence_put',
  text: `INSERT INTO buyer_evidence (${COLUMNS})
    SELECT agent, buyer, worker, career_good, career_bad, recent_good, recent_bad, gross, back, count, left_out,
      outcomes::jsonb
    FROM unnest($1::text[], $2::text[], $3::text[], $4::numeric[], $5::numeric[], $6::numeric[], $7::numeric[],
      $8::numeric[], $9::numeric[], $10::integer[], $11::boolean[], $12::text[]) AS row (agent, buyer, worker, career_good,
      career_bad, recent_good, recent_bad, gross, back, count, left_out, outcomes)
    ON CONFLICT (agent_id, buyer_cluster_id) DO UPDATE SET ${COLUMNS.split(',')
      .slice(2)
      .map((column) => `${column.trim()} = excluded.${column.trim()}`)
      .join(', ')}`,
};

/** Deletes the evidence of the clusters $2 about the agents $1, pair by pair. */
export const FORGET_PAIRS: PreparedStatement = {
  name: 'evidence_forget_pairs',
  text: `DELETE FROM buyer_evidence USING unnest($1::text[], $2::text[]) AS pair (agent, buyer)
    WHERE agent_id = pair.agent AND buyer_cluster_id = pair.buyer`,
};

/** The agents of the clusters $2 that the clusters $1 have paid, pair by pair: their net values have changed. */
export const PAID_BY: PreparedStatement = {
  name: 'evidence_paid_by',
  text: `SELECT DISTINCT evidence.agent_id FROM unnest($1::text[], $2::text[]) AS pair (buyer, worker)
    JOIN buyer_evidence evidence ON evidence.buyer_cluster_id = pair.buyer AND evidence.worker_cluster_id = pair.worker`,
};

/** Agents that are recounted in one short transaction. */
export const COUNTED_AT_ONCE = 100;

/** The next agents whose evidence is to be counted anew, locked; those that a block has locked are skipped. */
export const LOCK_UNCOUNTED = `SELECT agent_id FROM evidence_changes WHERE must_rebuild ORDER BY agent_id LIMIT ${COUNTED_AT_ONCE}
    FOR UPDATE SKIP LOCKED`;
