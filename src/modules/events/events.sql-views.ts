import { documentOf, eventRows } from './log/event-list.sql.js';
import { PUBLIC } from './log/record-events.sql.js';

/** End of the log, as text: everything that is behind it is new. */
export const LOG_END = 'SELECT last::text AS last FROM event_head';

/**
 * SQL that is true when the log has an event for an account behind a position. It looks for one in a range of an index for
 * each reader (and type), so it costs the same however much lies behind.
 * The order makes it a look into the index: with EXISTS the planner expects to meet an event soon in any order, and reads the
 * whole log where there is none.
 * @param types SQL of the list of types; null there: all of them.
 */
export function hasEventBehind(account: string, types: string, position: string): string {
  const found = (reader: string, further: string): string =>
    `(SELECT audience.sequence FROM event_audience audience WHERE audience.account_id = ${reader}
       AND audience.sequence > ${position} ${further} ORDER BY audience.sequence LIMIT 1) IS NOT NULL`;
  const either = (further: string): string => `(${found(account, further)} OR ${found(`'${PUBLIC}'`, further)})`;
  return `CASE WHEN ${types} IS NULL THEN ${either('')} ELSE EXISTS (
    SELECT FROM unnest(${types}) AS wanted (type) WHERE ${either('AND audience.type = wanted.type')}) END`;
}

/** An event of the log for whoever delivers it. */
export interface LoggedEvent {
  readonly sequence: string;
  readonly document: string;
}

/** The next $limit events for the account $1 behind the position $2; with types only those of $3. */
export function eventsBehind(limit: number, byTypes: boolean): { readonly name: string; readonly text: string } {
  return {
    name: `events_behind${byTypes ? '_of_types' : ''}_${limit}`,
    text: `SELECT page.sequence::text AS sequence, page.document
      FROM (${eventRows(limit, { byTypes, byTask: false })}) AS page ORDER BY page.sequence`,
  };
}

/** SQL of the document of the event at a position; null when it is no longer kept. */
export function documentAt(position: string): string {
  return `(SELECT ${documentOf('event')} FROM events event WHERE event.sequence = ${position})`;
}

/** Id and position of those events among $1 that the account $2 may read. */
export const READABLE_AMONG = `SELECT event.id, event.sequence::text AS sequence FROM events event
  WHERE event.id = ANY ($1::text[]) AND EXISTS (SELECT FROM event_audience audience
    WHERE audience.sequence = event.sequence AND audience.account_id IN ($2, '${PUBLIC}'))`;
