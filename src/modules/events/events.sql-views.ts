import type { PreparedStatement } from '../../platform/database/transactions.js';
import { behindAmong, documentOf, type EventFilters, eventRows, publicEventRows } from './log/event-list.sql.js';
import { PUBLIC } from './log/record-events.sql.js';

/** Where the log ends, as text. Whatever is added from now on has a greater position. */
export const LOG_END: PreparedStatement = {
  name: 'event_log_end',
  text: 'SELECT last::text AS last FROM event_head',
};

/**
 * SQL that is true when the log has an event for an account behind a position. It looks for one in a range of an index for
 * each reader (and type), so it costs the same however much lies behind.
 * The order makes it a look into the index: with EXISTS the planner expects to meet an event soon in any order, and reads the
 * whole log where there is none.
 * @param types SQL of the list of types; null there: all of them.
 */
export function hasEventBehind(account: string, types: string, position: string): string {
  const found = (values: Readonly<Record<string, string>>): string =>
    `(SELECT audience.sequence FROM event_audience audience
       WHERE ${behindAmong(position, values)} ORDER BY audience.sequence LIMIT 1) IS NOT NULL`;
  const either = (further: Readonly<Record<string, string>>): string =>
    `(${found({ account_id: account, ...further })} OR ${found({ account_id: `'${PUBLIC}'`, ...further })})`;
  return `CASE WHEN ${types} IS NULL THEN ${either({})} ELSE EXISTS (
    SELECT FROM unnest(${types}) AS wanted (type) WHERE ${either({ type: 'wanted.type' })}) END`;
}

/** An event of the log. */
export interface LoggedEvent {
  readonly sequence: string;
  /** The event as API JSON. */
  readonly document: string;
}

/** The next events for an account, at most `limit`, oldest first; the parameters are those of `eventListStatement`. */
export function eventsBehind(limit: number, filters: EventFilters): PreparedStatement {
  const { byTypes, byTask } = filters;
  return {
    name: `events_behind${byTask ? '_of_task' : ''}${byTypes ? '_of_types' : ''}_${limit}`,
    text: `SELECT page.sequence::text AS sequence, page.document
      FROM (${eventRows(limit, filters)}) AS page ORDER BY page.sequence`,
  };
}

/** Most events that `PUBLIC_EVENTS_BEHIND` and `PUBLIC_TASKS_BEHIND` read at once. */
export const PUBLIC_BATCH = 200;

/** The next events for everybody behind the position $1, oldest first: a range of an index, however much else is in the log. */
export const PUBLIC_EVENTS_BEHIND: PreparedStatement = {
  name: 'public_events_behind',
  text: `SELECT page.sequence::text AS sequence, page.document
    FROM (${publicEventRows(PUBLIC_BATCH)}) AS page ORDER BY page.sequence`,
};

/**
 * Positions and tasks of the next events of the type $2 for everybody behind the position $1, oldest first: a range of an
 * index, in which nothing else of the log stands.
 */
export const PUBLIC_TASKS_BEHIND: PreparedStatement = {
  name: 'public_tasks_behind',
  text: `SELECT audience.sequence::text AS sequence, audience.task_id AS "taskId" FROM event_audience audience
    WHERE ${behindAmong('$1::bigint', { account_id: `'${PUBLIC}'`, type: '$2::text' })}
    ORDER BY audience.sequence LIMIT ${PUBLIC_BATCH}`,
};

/** A row of `PUBLIC_TASKS_BEHIND`. */
export interface PublicTaskRow {
  readonly sequence: string;
  readonly taskId: string;
}

/** What the document of an event says of it to whoever sends it on. */
export interface EventHead {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly subject: { readonly id: string; readonly task_id?: string };
}

/** Reads the head of an event out of its document. */
export function headOf({ document }: Pick<LoggedEvent, 'document'>): EventHead {
  return JSON.parse(document) as EventHead;
}

/** SQL of the document of the event at a position; null when it is no longer kept. */
export function documentAt(position: string): string {
  return `(SELECT ${documentOf('event')} FROM events event WHERE event.sequence = ${position})`;
}

/** Id and document of those events among $1 that the account $2 may read. */
export const READABLE_DOCUMENTS: PreparedStatement = {
  name: 'event_readable_documents',
  text: `SELECT event.id, ${documentOf('event')} AS document FROM events event
    WHERE event.id = ANY ($1::text[]) AND EXISTS (SELECT FROM event_audience audience
      WHERE audience.sequence = event.sequence AND audience.account_id IN ($2, '${PUBLIC}'))`,
};

/** Id and position of those events among $1 that the account $2 may read. */
export const READABLE_AMONG = `SELECT event.id, event.sequence::text AS sequence FROM events event
  WHERE event.id = ANY ($1::text[]) AND EXISTS (SELECT FROM event_audience audience
    WHERE audience.sequence = event.sequence AND audience.account_id IN ($2, '${PUBLIC}'))`;
