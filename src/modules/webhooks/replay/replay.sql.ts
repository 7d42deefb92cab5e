/** Sends the events with the ids $2 and the positions $3 to the endpoint $1 again, at $4. */
export const REPLAY_EVENTS = `INSERT INTO webhook_retries (endpoint_id, sequence, event_id, tries, next_at, since)
  SELECT $1, event.sequence, event.id, 0, $4, $4 FROM unnest($2::text[], $3::bigint[]) AS event (id, sequence)
  ON CONFLICT (endpoint_id, sequence) DO UPDATE SET tries = 0, next_at = excluded.next_at, since = excluded.since`;

/** Sends everything that the endpoint $1 did not take again, at $2; answers how much. */
export const REPLAY_FAILED = `WITH again AS (
    UPDATE webhook_retries SET tries = 0, next_at = $2, since = $2 WHERE endpoint_id = $1 RETURNING 1)
  SELECT count(*)::integer AS events FROM again`;

/**
 * Takes the endpoint $1 back to the position $2, unless it has not come so far yet. What it misses is complete again if it
 * began there or later.
 */
export const MOVE_BACK = `UPDATE webhook_endpoints SET position = least(position, $2::bigint),
    missed_from = CASE WHEN missed_from > $2::bigint THEN NULL ELSE missed_from END
  WHERE id = $1`;

/** What waits for the endpoint $1 behind the position $2 comes again by itself. */
export const DROP_BEHIND = 'DELETE FROM webhook_retries WHERE endpoint_id = $1 AND sequence > $2::bigint';

/** Ends the pause of the endpoint $1, at $2. */
export const RESUME = 'UPDATE webhook_endpoints SET resume_at = $2, failed_in_a_row = 0 WHERE id = $1';
