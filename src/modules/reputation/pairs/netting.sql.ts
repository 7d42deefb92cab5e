import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { clusterOf } from './clusters.sql-views.js';
import { PAYER_SQL, WORKER_SQL } from './principals.js';
import { listsOf } from '../../../platform/database/prepared-lists.js';

/**
 * Rows between two clusters, one way, that a settlement nets: each is an agent to lock and a row to write. Where there are
 * more, the next run nets them.
 */
const MOST_NETTED = 64;

/** The agents of a cluster that another has paid, as an array; null when they are too many to be netted at once. */
export const counterpartsOf = (payer: string, worker: string): string => `(
      SELECT CASE WHEN count(*) <= ${MOST_NETTED} THEN array_agg(agent_id) END
      FROM (SELECT agent_id FROM buyer_evidence WHERE buyer_cluster_id = ${payer} AND worker_cluster_id = ${worker}
        LIMIT ${MOST_NETTED + 1}) AS few
    )`;

/** What one cluster paid to another, as far as it is looked at within a settlement. */
export const paidBetween = (payer: string, worker: string): string => `(
      SELECT coalesce(sum(gross_value), 0)
      FROM (SELECT gross_value FROM buyer_evidence WHERE buyer_cluster_id = ${payer} AND worker_cluster_id = ${worker}
        LIMIT ${MOST_NETTED}) AS few
    )`;

/** What the clusters $1 paid to the clusters $2, pair by pair: one row for each, in their order. */
export const PAID_BETWEEN: PreparedStatement = {
  name: 'evidence_paid_between',
  text: `SELECT ${paidBetween('pair.payer', 'pair.worker')}::text AS value
    FROM unnest(${listsOf('text', 'text')}) WITH ORDINALITY AS pair (payer, worker, position) ORDER BY position`,
};

/** The agents whose net value may be another when the agents $1 are counted anew. */
export const COUNTERPARTS_OF: PreparedStatement = {
  name: 'evidence_counterparts_of',
  text: `SELECT DISTINCT unnest(${counterpartsOf('pair.worker', 'pair.buyer')}) AS agent_id
    FROM (
      SELECT buyer_cluster_id AS buyer, worker_cluster_id AS worker FROM buyer_evidence WHERE agent_id = ANY($1)
      UNION
      SELECT ${clusterOf('payer')}, ${clusterOf('worker')}
      FROM (SELECT DISTINCT ${PAYER_SQL} AS payer, ${WORKER_SQL} AS worker FROM settlements WHERE agent_id = ANY($1)) AS met
    ) AS pair`,
};

/**
 * Nets what came back in another amount: the clusters $1 have paid $3 more to the clusters $2, pair by pair. Of the agents $4
 * alone, which are locked.
 */
export const MOVE_RETURNED: PreparedStatement = {
  name: 'evidence_move_returned',
  text: `UPDATE buyer_evidence paid SET returned = returned + moved.value
    FROM unnest(${listsOf('text', 'text', 'numeric')}) AS moved (payer, worker, value)
    WHERE paid.buyer_cluster_id = moved.worker AND paid.worker_cluster_id = moved.payer AND paid.agent_id = ANY($4)
    RETURNING paid.agent_id, moved.value::text AS moved, career_good::text, career_bad::text, recent_good::text,
      recent_bad::text, gross_value::text AS gross, returned::text, settlements,
      (SELECT independence FROM buyer_independence WHERE cluster_id = paid.buyer_cluster_id) AS independence`,
};

/** Counts anew what came back from the agents $1, row by row. */
export const NET_ANEW: PreparedStatement = {
  name: 'evidence_net_anew',
  text: `UPDATE buyer_evidence paid SET returned = back.value
    FROM buyer_evidence known CROSS JOIN LATERAL (
      SELECT coalesce(sum(gross_value), 0) AS value FROM buyer_evidence
      WHERE buyer_cluster_id = known.worker_cluster_id AND worker_cluster_id = known.buyer_cluster_id
    ) AS back
    WHERE known.agent_id = ANY($1) AND back.value <> known.returned
      AND paid.agent_id = known.agent_id AND paid.buyer_cluster_id = known.buyer_cluster_id`,
};
