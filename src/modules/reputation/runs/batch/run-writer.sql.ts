/**
 * Marks the run $1 as finished, if it is still the current one. $2 anchors, $3 principals, $4 edges, $5 settlements, $6
 * clusters.
 */
export const FINISH_RUN = `UPDATE trust_runs SET status = 'finished', phase = 'writing', anchors = $2, principals = $3, edges = $4,
       settlements = $5, clusters = $6
     WHERE id = $1 AND status = 'running' RETURNING id`;

/** The accounts $1 are clusters of their own again. */
export const DELETE_CLUSTERS = 'DELETE FROM account_clusters WHERE account_id = ANY($1)';

/** Puts accounts into clusters. $1 accounts, $2 clusters, in the same order. */
export const PUT_CLUSTERS = `INSERT INTO account_clusters (account_id, cluster_id)
     SELECT account, cluster FROM unnest($1::text[], $2::text[]) AS row (account, cluster)
     ON CONFLICT (account_id) DO UPDATE SET cluster_id = excluded.cluster_id`;

/** Deletes the independence of clusters for which the run has staged none. */
export const DELETE_INDEPENDENCE = `DELETE FROM buyer_independence known
    WHERE NOT EXISTS (SELECT FROM staged_independence made WHERE made.cluster_id = known.cluster_id)`;

/** Stores the staged independence where it differs from the stored one. */
export const PUT_INDEPENDENCE = `INSERT INTO buyer_independence (cluster_id, independence)
    SELECT made.cluster_id, made.independence FROM staged_independence made
    LEFT JOIN buyer_independence known USING (cluster_id) WHERE known.independence IS DISTINCT FROM made.independence
    ON CONFLICT (cluster_id) DO UPDATE SET independence = excluded.independence`;

/** The agents whose evidence was changed by transactions that the snapshot $1 does not see. */
export const CHANGED_SINCE = `SELECT agent_id FROM evidence_changes
     WHERE NOT pg_visible_in_snapshot(transaction_id::text::xid8, $1::pg_snapshot)`;

/** Those of the agents $1 whose records are still to be made, in any case after the index has caught up. */
export const RECORDS_LEFT = 'SELECT agent_id FROM evidence_changes WHERE is_record_due AND agent_id = ANY($1)';

/**
 * Deletes the notes of changes that the run has taken into account. Agents that are to be counted anew keep theirs, and so
 * do those whose records are due: the run makes no record of them.
 */
export const FORGET_CHANGES = 'DELETE FROM evidence_changes WHERE NOT must_rebuild AND NOT is_record_due';
