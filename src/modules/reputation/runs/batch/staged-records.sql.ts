import {
  putRecords,
  putSums,
  RECORD_COLUMNS,
  RECORD_ROWS,
  RECORD_VALUES,
  SUM_ROWS,
} from '../../records/records.sql.js';

/** Agents whose records are computed at once. */
export const AGENTS_AT_ONCE = 2_000;

/**
 * The next agents with a record, after the id $1, and those whose first record is due, whose `updated_at` is null: what they
 * have paid back is counted too.
 */
export const AGENTS_AFTER = `SELECT agent_id, updated_at FROM (
    (SELECT agent_id, updated_at FROM reputation_records WHERE agent_id > $1 ORDER BY agent_id LIMIT ${AGENTS_AT_ONCE})
    UNION ALL
    (SELECT agent_id, NULL FROM evidence_changes due WHERE is_record_due AND agent_id > $1
      AND NOT EXISTS (SELECT FROM reputation_records known WHERE known.agent_id = due.agent_id)
      ORDER BY agent_id LIMIT ${AGENTS_AT_ONCE})
  ) AS agent ORDER BY agent_id LIMIT ${AGENTS_AT_ONCE}`;

const different = RECORD_VALUES.map((column) => `made.${column}`).join(', ');

const known = RECORD_VALUES.map((column) => `known.${column}`).join(', ');

/**
 * Stages only records that differ from the stored ones; most scores change by less than a ten-thousandth in ten
 * minutes.
 */
export const STAGE_RECORDS = `INSERT INTO staged_records SELECT made.* FROM (${RECORD_ROWS}) AS made
  JOIN reputation_records known USING (agent_id) WHERE (${different}) IS DISTINCT FROM (${known})`;

/** Stages the sums of agents with many buyers; values as of SUM_ROWS. */
export const STAGE_SUMS = `INSERT INTO staged_sums ${SUM_ROWS}`;

/** Stages changed amounts of returned payments. $1 agents, $2 clusters of buyers, $3 amounts, in the same order. */
export const STAGE_RETURNED = `INSERT INTO staged_returned
  SELECT agent, buyer, value FROM unnest($1::text[], $2::text[], $3::numeric[]) AS row (agent, buyer, value)`;

/** Temporary tables of the connection, in which a run stages its results. */
export const STAGING: readonly string[] = [
  'CREATE TEMP TABLE staged_independence (cluster_id text NOT NULL, independence real NOT NULL)',
  `CREATE TEMP TABLE staged_records AS SELECT ${RECORD_COLUMNS} FROM reputation_records WITH NO DATA`,
  'CREATE TEMP TABLE staged_sums (LIKE buyer_sums)',
  'CREATE TEMP TABLE staged_returned (agent_id text NOT NULL, buyer_cluster_id text NOT NULL, returned numeric NOT NULL)',
];

const NOT_STALE = 'NOT EXISTS (SELECT FROM unnest($1::text[]) AS stale WHERE stale = staged.agent_id)';

/** A record that is due is made, with its sums, once the index has caught up. */
const NOT_LEFT = 'NOT EXISTS (SELECT FROM evidence_changes due WHERE is_record_due AND due.agent_id = staged.agent_id)';

/** Statements that store the staged results, except for the agents $1. */
export const PUT_STAGED: readonly string[] = [
  putSums(`SELECT staged.* FROM staged_sums staged WHERE ${NOT_STALE} AND ${NOT_LEFT}`),
  putRecords(`SELECT ${RECORD_COLUMNS} FROM staged_records staged WHERE ${NOT_STALE} AND ${NOT_LEFT}`),
  `UPDATE buyer_evidence paid SET returned = staged.returned FROM staged_returned staged
    WHERE paid.agent_id = staged.agent_id AND paid.buyer_cluster_id = staged.buyer_cluster_id AND ${NOT_STALE}`,
];

/** Deletes the sums of earlier runs. */
export const DELETE_SUMS = 'DELETE FROM buyer_sums';

/** Stages the independence of clusters. $1 clusters, $2 independence, in the same order. */
export const STAGE_INDEPENDENCE = `INSERT INTO staged_independence SELECT cluster, independence
       FROM unnest($1::text[], $2::real[]) AS row (cluster, independence)`;
