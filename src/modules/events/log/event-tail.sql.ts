import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { documentOf } from './event-list.sql.js';

/** Most events that `EVENTS_BEHIND` reads at once. */
export const TAIL_BATCH = 200;

/** An event with everybody who may read it. */
export interface TailRow {
  readonly sequence: string;
  readonly id: string;
  readonly document: string;
  /** Ids of accounts, or `public` alone; null, with `type`, when none of those who could read it is left. */
  readonly readers: string[] | null;
  readonly type: string | null;
  readonly task_id: string | null;
}

/**
 * The next events behind the position $1, whoever may read them: one statement for all the streams of a process, so that
 * its cost grows with the events and not with those who listen. They stand side by side, so their readers are one range of
 * an index.
 */
export const EVENTS_BEHIND: PreparedStatement = {
  name: 'events_behind',
  text: `WITH event AS MATERIALIZED (
      SELECT sequence, id, document FROM events WHERE sequence > $1::bigint ORDER BY sequence LIMIT ${TAIL_BATCH}
    ), audience AS MATERIALIZED (
      SELECT sequence, array_agg(account_id) AS readers, min(type) AS type, min(task_id) AS task_id FROM event_audience
      WHERE sequence BETWEEN (SELECT min(sequence) FROM event) AND (SELECT max(sequence) FROM event) GROUP BY sequence)
    SELECT event.sequence::text AS sequence, event.id, ${documentOf('event')} AS document,
      audience.readers, audience.type, audience.task_id
    FROM event LEFT JOIN audience USING (sequence) ORDER BY event.sequence`,
};
