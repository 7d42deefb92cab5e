import type { PreparedStatement } from '../../../platform/database/transactions.js';
import type { OutcomeCounts } from '../pairs/outcome-counts.js';
import type { WordRow } from '../pairs/pair-evidence.js';
import { listsOf } from '../../../platform/database/prepared-lists.js';

const LAST_RUN = `(SELECT as_of, anchors FROM trust_runs WHERE status = 'finished' ORDER BY id DESC LIMIT 1)`;

const SUMS =
  `career_good, career_bad, recent_good, recent_bad, independent_units, all_units, settled_value, independent_value,
  settlements, buyers, independent_buyers, pending_buyers`.split(/,\s+/);

/** Most buyers whose evidence is read at each settlement; the evidence of more buyers is kept as sums. */
export const FEW_BUYERS = 64;

const WORD = `career_good::text, career_bad::text, recent_good::text, recent_bad::text, gross_value::text AS gross,
        returned::text, settlements, outcomes,
        (SELECT independence FROM buyer_independence WHERE cluster_id = buyer_cluster_id) AS independence`;

/** What people are shown of the record `known`, in the order of `shownOf`. */
const SHOWN = `CASE WHEN known.agent_id IS NOT NULL THEN ARRAY[known.score, known.independence_confidence, known.settled_value,
      known.settlements]::text[] END`;

/**
 * What the records of the agents $1 are made of, and what is shown of them (`SHOWN`): when their newest work ended, the
 * newest finished run, and the stored sums of the buyers' evidence with the outcomes of the record; without sums, the
 * evidence of each buyer, of at most `FEW_BUYERS` + 1 buyers. When the last one is there too, all buyers have to be read
 * (`ALL_BUYERS`).
 */
export const SEEN_AGENTS: PreparedStatement = {
  name: 'reputation_seen_agents',
  text: `SELECT agent.agent_id, agent.newest, run.as_of, coalesce(run.anchors, 0) AS anchors,
      CASE WHEN kept.agent_id IS NOT NULL THEN ARRAY[${SUMS.map((sum) => `kept.${sum}`).join(', ')}]::text[] END AS sums,
      CASE WHEN kept.agent_id IS NOT NULL THEN known.outcomes END AS kept_outcomes, ${SHOWN} AS shown, word.*
    FROM (
      SELECT agent_id, (SELECT max(settled_at) FROM settlements s WHERE s.agent_id = asked.agent_id) AS newest
      FROM unnest(${listsOf('text')}) AS asked (agent_id) OFFSET 0
    ) AS agent
    LEFT JOIN ${LAST_RUN} run ON true
    LEFT JOIN buyer_sums kept ON kept.agent_id = agent.agent_id
    LEFT JOIN reputation_records known ON known.agent_id = agent.agent_id
    LEFT JOIN LATERAL (
      SELECT ${WORD} FROM buyer_evidence
      WHERE buyer_evidence.agent_id = agent.agent_id AND kept.agent_id IS NULL LIMIT ${FEW_BUYERS + 1}
    ) AS word ON true`,
};

interface CountedWordRow extends WordRow {
  outcomes: OutcomeCounts;
}

export interface SeenRow extends Omit<CountedWordRow, 'gross'> {
  agent_id: string;
  /** When the newest work ended; null: nothing is settled (any more). */
  newest: Date | null;
  /** Time of the newest finished run; null before the first has finished. */
  as_of: Date | null;
  anchors: number;
  /** In the order of the table's columns; null when none are kept. */
  sums: string[] | null;
  /** Settlements by outcome of the record that was made with the stored sums; null without them. */
  kept_outcomes: OutcomeCounts | null;
  /** As of `shownOf`; null while the agent has no record. */
  shown: string[] | null;
  /** Null, like all columns of a buyer, for an agent without buyers or with sums. */
  gross: string | null;
}

/** The evidence of every buyer of the agents $1. */
export const ALL_BUYERS: PreparedStatement = {
  name: 'reputation_all_buyers',
  text: `SELECT agent_id, ${WORD} FROM buyer_evidence WHERE agent_id = ANY($1)`,
};

export interface AgentWordRow extends CountedWordRow {
  agent_id: string;
}

/**
 * As `ALL_BUYERS`, for a run, which weighs the buyers anew: `returned` is computed anew, whatever value is stored. It is all
 * that the owner's cluster paid to the buyer's cluster, so that no agent gains when another agent of its owner pays back.
 */
export const BUYERS_ANEW: PreparedStatement = {
  name: 'reputation_buyers_anew',
  text: `WITH own AS MATERIALIZED (SELECT * FROM buyer_evidence WHERE agent_id = ANY($1)),
    back AS MATERIALIZED (
      SELECT buyer_cluster_id AS worker, worker_cluster_id AS buyer, sum(gross_value) AS value FROM buyer_evidence
      WHERE buyer_cluster_id = ANY(ARRAY(SELECT DISTINCT worker_cluster_id FROM own)) GROUP BY 1, 2
    )
    SELECT own.agent_id, own.buyer_cluster_id AS buyer, career_good::text, career_bad::text, recent_good::text,
      recent_bad::text, gross_value::text AS gross, coalesce(back.value, 0)::text AS returned, returned::text AS netted,
      settlements, outcomes
    FROM own
    LEFT JOIN back ON back.worker = own.worker_cluster_id AND back.buyer = own.buyer_cluster_id`,
};

export interface AnewRow extends Omit<CountedWordRow, 'independence'> {
  agent_id: string;
  buyer: string;
  /** The returned value that is stored now. */
  netted: string;
}

/** `$1` to `$13` of `sumArrays`, as rows of the kept sums. */
export const SUM_ROWS = `SELECT agent_id, ${SUMS.join(', ')} FROM unnest($1::text[], $2::numeric[], $3::numeric[],
  $4::numeric[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[], $9::numeric[], $10::integer[], $11::integer[],
  $12::integer[], $13::integer[]) AS row (agent_id, ${SUMS.join(', ')})`;

/** Replaces the stored sums by these rows. */
export function putSums(rows: string): string {
  return `INSERT INTO buyer_sums (agent_id, ${SUMS.join(', ')}) ${rows}
    ON CONFLICT (agent_id) DO UPDATE SET ${SUMS.map((sum) => `${sum} = excluded.${sum}`).join(', ')}`;
}

export const PUT_SUMS: PreparedStatement = { name: 'reputation_put_sums', text: putSums(SUM_ROWS) };

/** Deletes the sums of the agents $1: their next record is made from the evidence of each buyer. */
export const FORGET_SUMS: PreparedStatement = {
  name: 'reputation_forget_sums',
  text: 'DELETE FROM buyer_sums WHERE agent_id = ANY($1)',
};

export const RECORD_COLUMNS = `agent_id, score, career_score, recent_score, independence_confidence, settled_value, independent_value,
  settlements, buyers, independent_buyers, pending_buyers, updated_at, outcomes`;
/** The columns but the agent's id. */
export const RECORD_VALUES: readonly string[] = RECORD_COLUMNS.split(',')
  .slice(1)
  .map((column) => column.trim());

/** `$1` to `$13` of `recordArrays`, as rows of the records' columns. */
export const RECORD_ROWS = `SELECT ${RECORD_COLUMNS} FROM unnest($1::text[], $2::numeric[], $3::numeric[], $4::numeric[],
  $5::numeric[], $6::numeric[], $7::numeric[], $8::integer[], $9::integer[], $10::integer[], $11::integer[],
  $12::timestamptz[], $13::jsonb[]) AS row (${RECORD_COLUMNS})`;

/** Replaces the stored records by these rows; a record with the same values is not written. */
export function putRecords(rows: string): string {
  return `INSERT INTO reputation_records AS known (${RECORD_COLUMNS}) ${rows}
    ON CONFLICT (agent_id) DO UPDATE SET ${RECORD_VALUES.map((column) => `${column} = excluded.${column}`).join(', ')}
    WHERE (${RECORD_VALUES.map((column) => `known.${column}`).join(', ')})
      IS DISTINCT FROM (${RECORD_VALUES.map((column) => `excluded.${column}`).join(', ')})`;
}

/** Writes one record with the values `$1` to `$13`, as a block does; it is planned once. */
export const PUT_RECORD: PreparedStatement = {
  name: 'reputation_put_record',
  text: putRecords(
    `VALUES (${RECORD_COLUMNS.split(',')
      .map((_, index) => `$${index + 1}`)
      .join(', ')})`,
  ),
};

/** Writes many records, from `recordArrays`. */
export const PUT_RECORDS: PreparedStatement = { name: 'reputation_put_records', text: putRecords(RECORD_ROWS) };

/** Deletes the records of the agents $1, which have no settlements. */
export const DELETE_RECORDS: PreparedStatement = {
  name: 'reputation_delete_records',
  text: 'DELETE FROM reputation_records WHERE agent_id = ANY($1)',
};
