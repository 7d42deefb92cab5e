import type { PreparedStatement } from '../../platform/database/transactions.js';

const COLUMNS = ['agent_numbers', 'ranks', 'scores', 'relevances', 'similarities', 'discoveries'] as const;

/** Expired snapshots that a new one takes away with it. */
const SWEPT_AT_ONCE = 20;

/**
 * The snapshot of the ranking with the digest $3 that the account $2 holds of the task $1, until $5 at least; $4 now, $5
 * end of the cursors of now, $6 end of a snapshot of now.
 */
export const HOLD_SNAPSHOT: PreparedStatement = {
  name: 'match_snapshot_hold',
  text: `WITH held AS (
      SELECT id, expires_at FROM match_snapshots
      WHERE task_id = $1 AND account_id = $2 AND digest = $3 AND expires_at > $4
      ORDER BY expires_at DESC LIMIT 1
    ), prolonged AS (
      UPDATE match_snapshots SET expires_at = $6 WHERE id = (SELECT id FROM held WHERE expires_at < $5)
    )
    SELECT id FROM held`,
};

/** A new snapshot: $1 its id, $2 task, $3 account, $4 digest, $5 now, $6 its end, $7 to $12 its columns. */
export const MAKE_SNAPSHOT: PreparedStatement = {
  name: 'match_snapshot_make',
  text: `WITH swept AS (
      DELETE FROM match_snapshots WHERE id IN (SELECT id FROM match_snapshots WHERE expires_at <= $5
        ORDER BY expires_at LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED)
    )
    INSERT INTO match_snapshots (id, task_id, account_id, digest, created_at, expires_at, ${COLUMNS.join(', ')})
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
};

/**
 * Part of a frozen ranking, a row for each place: $1 snapshot, $2 task, $3 account, $4 now, $5 and $6 first and last place,
 * from 1.
 */
export const SNAPSHOT_SLICE: PreparedStatement = {
  name: 'match_snapshot_slice',
  text: `SELECT cardinality(agent_numbers) AS size, agent_number, rank, score, relevance, similarity,
      is_discovery::text AS is_discovery
    FROM match_snapshots
    CROSS JOIN LATERAL unnest(${COLUMNS.map((column) => `${column}[$5::integer:$6::integer]`).join(', ')})
      AS place (agent_number, rank, score, relevance, similarity, is_discovery)
    WHERE id = $1 AND task_id = $2 AND account_id = $3 AND expires_at > $4::timestamptz ORDER BY rank`,
};
