import type { PreparedStatement } from '../../../platform/database/transactions.js';

/** Told with each batch's commit; the payload is the end of the log. */
export const EVENTS_CHANNEL = 'tasktree_events';

/** Microseconds over which the events of one batch are spread, however many they are. */
const SPREAD = 20_000;

/**
 * Age of the oldest event that waits, in seconds, as soon as one does; null when none has come for 80 ms. Postgres looks,
 * five times: fifty statements a second were a quarter of what a service costs in which nothing happens.
 */
export const WAITING: PreparedStatement = {
  name: 'oldest-waiting-event',
  text: 'SELECT oldest_waiting_event(5) AS seconds',
};

/**
 * Waits for the writer before, and reads where it has ended. The events are moved by another statement: this one's
 * snapshot is older than its lock, so it would not see what was committed while it waited.
 */
export const LOCK_HEAD = 'SELECT last FROM event_head FOR UPDATE';

/**
 * Moves at most $1 events from the outbox to the log, behind the position $2, and tells that they are there. They keep
 * their order. Each is a random step behind the one before; the steps are the shorter the more events there are, so
 * that neither a position nor the distance of two tells how many there were. Those that the chain has caused are remembered
 * with their block, here rather than where they are recorded: a block's transaction has others waiting for it.
 */
export const MOVE = `WITH taken AS (
    DELETE FROM event_outbox WHERE id = ANY (ARRAY(SELECT id FROM event_outbox ORDER BY id LIMIT $1))
    RETURNING id, event_id, type, task_id, audience, document, block_number, block_hash
  ), base AS MATERIALIZED (
    SELECT greatest($2::bigint, floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint - ${SPREAD}) AS position
  ), placed AS MATERIALIZED (
    SELECT taken.*, (SELECT position FROM base) + (sum(
      1 + floor(random() * ${2 * SPREAD} / (SELECT count(*) FROM taken))::bigint) OVER (ORDER BY id))::bigint AS sequence
    FROM taken
  ), logged AS (
    INSERT INTO events (sequence, id, document) SELECT sequence, event_id, document FROM placed
  ), told AS (
    INSERT INTO event_audience (account_id, sequence, type, task_id)
    SELECT account_id, sequence, type, task_id FROM placed, unnest(audience) AS reader (account_id)
  ), remembered AS (
    INSERT INTO chain_events (block_number, block_hash, task_id, audience, event_ids)
    SELECT block_number, block_hash, task_id, audience, array_agg(event_id ORDER BY id)
    FROM placed WHERE block_number IS NOT NULL GROUP BY block_number, block_hash, task_id, audience
    ORDER BY min(id)
  ), ended AS (
    UPDATE event_head SET last = (SELECT max(sequence) FROM placed) WHERE EXISTS (SELECT FROM placed) RETURNING last
  )
  SELECT (SELECT count(*) FROM placed)::integer AS moved, pg_notify('${EVENTS_CHANNEL}', last::text) FROM ended`;
