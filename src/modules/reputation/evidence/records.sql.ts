import type { PreparedStatement } from '../../../platform/database/transactions.js';

/** When the newest work of the agents $1 ended, and by which finished run they are seen. */
export const RECORD_HEADS: PreparedStatement = {
  name: 'reputation_record_heads',
  text: `SELECT agent_id, (SELECT max(settled_at) FROM settlements s WHERE s.agent_id = agent.agent_id) AS newest,
      run.as_of, coalesce(run.anchors, 0) AS anchors
    FROM unnest($1::text[]) AS agent (agent_id)
    LEFT JOIN (SELECT as_of, anchors FROM trust_runs WHERE status = 'finished' ORDER BY id DESC LIMIT 1) run ON true`,
};

export interface HeadRow {
  agent_id: string;
  /** Null: nothing is settled (any more). */
  newest: Date | null;
  /** Null before the first run has finished. */
  as_of: Date | null;
  anchors: number;
}

/**
 * What the buyers of agents say, each agent's in one order, so that sums come out the same to the last digit. Net
 * is what the buyer's cluster paid to the agent less all that the owner's cluster paid to the buyer's: no agent of an
 * owner gains by what another sends back. Independence is looked up buyer by buyer: a join would read everybody's.
 */
const buyersWhere = (
  condition: string,
): string => `WITH own AS MATERIALIZED (SELECT * FROM buyer_evidence WHERE ${condition}),
    back AS MATERIALIZED (
      SELECT buyer_cluster_id AS worker, worker_cluster_id AS buyer, sum(gross_value) AS value FROM buyer_evidence
      WHERE buyer_cluster_id = ANY(ARRAY(SELECT DISTINCT worker_cluster_id FROM own)) GROUP BY 1, 2
    )
    SELECT own.agent_id, own.buyer_cluster_id AS buyer, career_good::text, career_bad::text, recent_good::text,
      recent_bad::text, gross_value::text AS gross, greatest(gross_value - coalesce(back.value, 0), 0)::text AS net, settlements,
      (SELECT independence FROM buyer_independence WHERE cluster_id = own.buyer_cluster_id) AS independence
    FROM own
    LEFT JOIN back ON back.worker = own.worker_cluster_id AND back.buyer = own.buyer_cluster_id
    ORDER BY own.agent_id COLLATE "C", own.buyer_cluster_id COLLATE "C"`;

export const BUYERS_OF: PreparedStatement = { name: 'reputation_buyers_of', text: buyersWhere('agent_id = ANY($1)') };

/** For one agent, planned once: a plan for a list of unknown length would be thought out anew each time. */
export const BUYERS_OF_ONE: PreparedStatement = {
  name: 'reputation_buyers_of_one',
  text: buyersWhere('agent_id = $1'),
};

export interface BuyerRow {
  agent_id: string;
  buyer: string;
  career_good: string;
  career_bad: string;
  recent_good: string;
  recent_bad: string;
  gross: string;
  net: string;
  settlements: number;
  /** Null: no finished run has seen the buyer. */
  independence: number | null;
}

export const RECORD_COLUMNS = `agent_id, score, career_score, recent_score, independence_confidence, settled_value, independent_value,
  settlements, buyers, independent_buyers, pending_buyers, updated_at`;
/** The columns but the agent's id. */
export const RECORD_VALUES: readonly string[] = RECORD_COLUMNS.split(',')
  .slice(1)
  .map((column) => column.trim());

/** `$1` to `$12` of `recordArrays`, as rows of the records' columns. */
export const RECORD_ROWS = `SELECT ${RECORD_COLUMNS} FROM unnest($1::text[], $2::numeric[], $3::numeric[], $4::numeric[],
  $5::numeric[], $6::numeric[], $7::numeric[], $8::integer[], $9::integer[], $10::integer[], $11::integer[],
  $12::timestamptz[]) AS row (${RECORD_COLUMNS})`;

/** Puts rows of the records' columns in the place of what is there; those that say the same are left alone. */
export function putRecords(rows: string): string {
  return `INSERT INTO reputation_records AS known (${RECORD_COLUMNS}) ${rows}
    ON CONFLICT (agent_id) DO UPDATE SET ${RECORD_VALUES.map((column) => `${column} = excluded.${column}`).join(', ')}
    WHERE (${RECORD_VALUES.map((column) => `known.${column}`).join(', ')})
      IS DISTINCT FROM (${RECORD_VALUES.map((column) => `excluded.${column}`).join(', ')})`;
}

/** One record, `$1` to `$12` its values: what a block writes, planned once. */
export const PUT_RECORD: PreparedStatement = {
  name: 'reputation_put_record',
  text: putRecords(
    `VALUES (${RECORD_COLUMNS.split(',')
      .map((_, index) => `$${index + 1}`)
      .join(', ')})`,
  ),
};

/** Many records, from `recordArrays`. */
export const PUT_RECORDS: PreparedStatement = { name: 'reputation_put_records', text: putRecords(RECORD_ROWS) };

/** An agent without settlements has no record. */
export const DELETE_RECORDS: PreparedStatement = {
  name: 'reputation_delete_records',
  text: 'DELETE FROM reputation_records WHERE agent_id = ANY($1)',
};
