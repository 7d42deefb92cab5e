import type { PreparedStatement } from '../../platform/database/transactions.js';

const COLUMNS = ['agent_numbers', 'ranks', 'scores', 'relevances', 'similarities', 'discoveries'] as const;

/** Expired snapshots that a new one takes away with it. */
const SWEPT_AT_ONCE = 20;

/**
 * The snapshot of these columns ($4 to $9) that the account $3 holds of the task $2 until $12 at least, or a new one with
 * the id $1; $10 digest of the columns, $11 now, $12 end of the cursors of now, $13 end of a snapshot of now.
 */
export const KEEP_SNAPSHOT: PreparedStatement = {
  name: 'match_snapshot_keep',
  text: `WITH held AS (
      SELECT id, expires_at FROM match_snapshots
      WHERE task_id = $2 AND account_id = $3 AND digest = $10 AND expires_at > $11
      ORDER BY expires_at DESC LIMIT 1
    ), prolonged AS (
      UPDATE match_snapshots SET expires_at = $13 WHERE id = (SELECT id FROM held WHERE expires_at < $12)
    ), made AS (
      INSERT INTO match_snapshots (id, task_id, account_id, ${COLUMNS.join(', ')}, digest, created_at, expires_at)
      SELECT $1, $2, $3, $4::integer[], $5::integer[], $6::integer[], $7::integer[], $8::real[], $9::boolean[], $10, $11, $13
      WHERE NOT EXISTS (SELECT FROM held)
      RETURNING id
    ), swept AS (
      DELETE FROM match_snapshots WHERE id IN (SELECT id FROM match_snapshots WHERE expires_at <= $11
        ORDER BY expires_at LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED)
    )
    SELECT id FROM held UNION ALL SELECT id FROM made`,
};

/** Part of a frozen ranking: $1 snapshot, $2 task, $3 account, $4 now, $5 and $6 first and last place, from 1. */
export const SNAPSHOT_SLICE: PreparedStatement = {
  name: 'match_snapshot_slice',
  text: `SELECT cardinality(agent_numbers) AS size,
      ${COLUMNS.map((column) => `${column}[$5::integer:$6::integer]`).join(', ')}
    FROM match_snapshots
    WHERE id = $1 AND task_id = $2 AND account_id = $3 AND expires_at > $4::timestamptz`,
};
