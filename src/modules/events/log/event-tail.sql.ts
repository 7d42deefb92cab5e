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
 * its cost grows with the events and not with those who listen.
 */
export const EVENTS_BEHIND: PreparedStatement = {
  name: 'events_behind',
  text: `SELECT event.sequence::text AS sequence, event.id, ${documentOf('event')} AS document,
      audience.readers, audience.type, audience.task_id
    FROM (SELECT sequence, id, document FROM events WHERE sequence > $1::bigint
      ORDER BY sequence LIMIT ${TAIL_BATCH}) AS event
    CROSS JOIN LATERAL (SELECT array_agg(account_id) AS readers, min(type) AS type, min(task_id) AS task_id
      FROM event_audience WHERE event_audience.sequence = event.sequence) AS audience
    ORDER BY event.sequence`,
};
