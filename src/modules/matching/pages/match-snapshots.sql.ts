import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { visibleTask } from '../../tasks/visibility/task-visibility.sql.js';
import { LIVE_COLUMNS } from './match-page.sql.js';

const COLUMNS = ['agent_numbers', 'ranks', 'scores', 'relevances', 'similarities', 'discoveries'] as const;

/** Most expired snapshots that are deleted when a new one is made. */
const SWEPT_AT_ONCE = 20;

/** A snapshot that is stored already. */
export interface KeptSnapshot {
  id: string;
  /** Hexadecimal. */
  digest: string;
  /** Milliseconds of the epoch. */
  expires_at_ms: number;
}

/** The account $2's newest snapshot for the row `task`, as a JSON `KeptSnapshot`, or null; it may have expired. */
export const NEWEST_SNAPSHOT = `(SELECT json_build_object('id', id, 'digest', encode(digest, 'hex'),
    'expires_at_ms', (extract(epoch FROM expires_at) * 1000)::bigint)
  FROM match_snapshots WHERE task_id = task.id AND account_id = $2 ORDER BY expires_at DESC LIMIT 1)`;

/**
 * Stores what follows from showing the account $2 the first page of the task $1.
 *
 * When there is a second page, $7 is not null, and the ranking with the digest $3 is kept as a snapshot: one that the
 * account holds is kept until $5 at least ($4 now, $5 end of the cursors made now, $6 end of a snapshot made now); else a
 * new one is made with the id $7, the words $8, verified buyers or not ($9) and the columns $10 to $15.
 *
 * The agents $16 are counted as shown for the task: once per task, so that nobody raises the counts of others by looking
 * again; in order, so that two transactions that count the same agents never wait for each other in a circle.
 *
 * The task is locked against deletion first, so that nothing is written for one that has been deleted since it was read.
 * Gives a row if there is the task: with the id of the snapshot, or null where none is kept.
 */
export const KEEP_FIRST_PAGE: PreparedStatement = {
  name: 'match_first_page_keep',
  text: `WITH task AS (
      SELECT id FROM tasks WHERE id = $1 FOR KEY SHARE
    ), held AS (
      SELECT id, expires_at FROM match_snapshots
      WHERE task_id = $1 AND account_id = $2 AND digest = $3 AND expires_at > $4 AND $7::text IS NOT NULL
      ORDER BY expires_at DESC LIMIT 1
    ), prolonged AS (
      UPDATE match_snapshots SET expires_at = $6 WHERE id = (SELECT id FROM held WHERE expires_at < $5)
    ), swept AS (
      DELETE FROM match_snapshots WHERE id IN (SELECT id FROM match_snapshots
        WHERE expires_at <= $4 AND $7 IS NOT NULL AND NOT EXISTS (SELECT FROM held)
        ORDER BY expires_at LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED)
    ), made AS (
      INSERT INTO match_snapshots (task_id, account_id, digest, created_at, expires_at, id, words, anchored,
        ${COLUMNS.join(', ')})
      SELECT task.id, $2, $3, $4, $6, $7, $8::tsquery, $9, $10, $11, $12, $13, $14, $15 FROM task
      WHERE $7 IS NOT NULL AND NOT EXISTS (SELECT FROM held) RETURNING id
    ), shown AS (
      INSERT INTO match_impressions (task_id, agent_id)
      SELECT task.id, agent_id FROM task, unnest($16::text[]) AS agent_id ORDER BY agent_id
      ON CONFLICT (task_id, agent_id) DO NOTHING RETURNING agent_id
    ), counted AS (
      INSERT INTO agent_impressions AS known (agent_id, impressions)
      SELECT agent_id, 1 FROM shown ORDER BY agent_id
      ON CONFLICT (agent_id) DO UPDATE SET impressions = known.impressions + 1
    )
    SELECT coalesce((SELECT id FROM held), (SELECT id FROM made)) AS id FROM task`,
};

/**
 * A page of a stored ranking: $1 snapshot, $2 task, $3 account, which must still see the task, $4 now, $5 and $6 first and
 * last place, from 1. It has a row for each place, without an agent's columns where the agent has been suspended since. The
 * agents and their records are shown as they are now.
 */
export const SNAPSHOT_PAGE: PreparedStatement = {
  name: 'match_snapshot_page',
  text: `SELECT cardinality(kept.agent_numbers) AS size, kept.anchored::text AS anchored, m.agent_number, m.rank, m.score AS place_score,
      m.relevance, m.similarity, m.is_discovery::text AS is_discovery, ${LIVE_COLUMNS('kept.words', '$4')}
    FROM match_snapshots kept
    CROSS JOIN LATERAL unnest(${COLUMNS.map((column) => `kept.${column}[$5::integer:$6::integer]`).join(', ')})
      AS m (agent_number, rank, score, relevance, similarity, is_discovery)
    LEFT JOIN agents a ON a.number = m.agent_number AND a.status <> 'suspended'
    LEFT JOIN reputation_records r ON r.agent_id = a.id
    WHERE kept.id = $1 AND kept.task_id = $2 AND kept.account_id = $3 AND kept.expires_at > $4::timestamptz
      AND EXISTS (SELECT FROM tasks task WHERE task.id = kept.task_id AND ${visibleTask('task', '$3')})
    ORDER BY m.rank`,
};
