/** Whether the last run began before $1 or there is none, or the verified buyers have changed since it. */
export const IS_RUN_DUE = `SELECT coalesce(last.started_at <= $1, true)
          OR (last.status = 'finished' AND last.anchors <> (SELECT count(*) FROM verified_buyers))
          OR last.started_at < (SELECT max(verified_at) FROM verified_buyers) AS due
        FROM (SELECT 1) AS one
        LEFT JOIN (SELECT started_at, status, anchors FROM trust_runs ORDER BY id DESC LIMIT 1) last ON true`;

/** Deletes runs that began before $1, but for the last finished one, which says from what the records were made. */
export const DELETE_OLD_RUNS = `DELETE FROM trust_runs WHERE started_at < $1
         AND id <> (SELECT max(id) FROM trust_runs WHERE status = 'finished')`;
