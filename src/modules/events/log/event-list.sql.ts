import { type RenderedPageRow, renderedPage } from '../../../platform/pagination/rendered-page.sql.js';
import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { PUBLIC } from './record-events.sql.js';

/** Before all events. */
export const BEFORE_ALL_EVENTS = '0';

/** Where an event stands in the log. */
export const EVENT_POSITION = { sequence: 'text' } as const;

/** A rendered page of events. */
export type EventPageRow = RenderedPageRow<keyof typeof EVENT_POSITION>;

/** What a list of events keeps. */
export interface EventFilters {
  readonly byTypes: boolean;
  readonly byTask: boolean;
}

/** SQL of an event's document with its sequence as the last member. @param event alias of the row. */
export function documentOf(event: string): string {
  return `left(${event}.document, -1) || ',"sequence":' || ${event}.sequence || '}'`;
}

const DOCUMENT = documentOf('event');

/**
 * One page of the events that an account may read, oldest first: $1 account, $2 position to start behind, then the task
 * and the types where they are filtered. What is for the account and what is for everybody are two ranges of at most a
 * page each, and no event is in both (record-events.sql.ts), so a page costs the same however long the log is. By types
 * each range is made of one range a type. The row count is part of the text, where the planner sees it.
 */
export function eventListStatement(limit: number, filters: EventFilters): PreparedStatement {
  const { byTypes, byTask } = filters;
  return {
    name: `events${byTask ? '_of_task' : ''}${byTypes ? '_of_types' : ''}_${limit}`,
    text: renderedPage(eventRows(limit + 1, filters), limit, 'sequence', EVENT_POSITION),
  };
}

/**
 * SQL that is true of rows of `audience` behind a position that have these values, each named by its column, in the order
 * of an index that ends with `sequence`. The position stands twice: alone it prunes partitions, and beside the values only
 * that index searches by it. Of a partition that was empty when the plan was made every index looks equally cheap, and
 * another than this one reads past the events of all other accounts.
 */
export function behindAmong(position: string, values: Readonly<Record<string, string>>): string {
  const names = Object.keys(values)
    .map((name) => `audience.${name}`)
    .join(', ');
  const wanted = Object.values(values).join(', ');
  return `(${names}) = (${wanted}) AND audience.sequence > ${position}
    AND (${names}, audience.sequence) > (${wanted}, ${position})`;
}

/** The rows of such a page, at most `rows`, in no order. */
export function eventRows(rows: number, { byTypes, byTask }: EventFilters): string {
  const types = byTask ? '$4' : '$3';
  const range = (values: Readonly<Record<string, string>>, further = ''): string =>
    `SELECT audience.sequence FROM event_audience audience
      WHERE ${behindAmong('$2::bigint', values)} ${further} ORDER BY audience.sequence LIMIT ${rows}`;
  const branch = (account_id: string): string => {
    if (byTask) return range({ account_id, task_id: '$3' }, byTypes ? `AND audience.type = ANY(${types}::text[])` : '');
    if (!byTypes) return range({ account_id });
    return `SELECT ofType.sequence FROM unnest(${types}::text[]) AS wanted (type)
      CROSS JOIN LATERAL (${range({ account_id, type: 'wanted.type' })}) AS ofType
      ORDER BY ofType.sequence LIMIT ${rows}`;
  };
  return eventsAt(`SELECT sequence FROM ((${branch('$1')}) UNION ALL (${branch(`'${PUBLIC}'`)})) AS readable
      ORDER BY sequence LIMIT ${rows}`);
}

/** The rows of the next events for everybody behind the position $1, at most `rows`, in no order. */
export function publicEventRows(rows: number): string {
  return eventsAt(`SELECT audience.sequence FROM event_audience audience
      WHERE ${behindAmong('$1::bigint', { account_id: `'${PUBLIC}'` })} ORDER BY audience.sequence LIMIT ${rows}`);
}

/**
 * The events at the sequences of a page. They mostly stand side by side in the log: as one list of sequences they are one
 * search in the index and the leaf where it ends, and not a search each. The list prunes no partition, so its two ends do.
 */
function eventsAt(sequences: string): string {
  return `WITH place AS MATERIALIZED (${sequences})
    SELECT event.sequence, ${DOCUMENT} AS document FROM events event
    WHERE event.sequence = ANY (ARRAY(SELECT sequence FROM place))
      AND event.sequence BETWEEN (SELECT min(sequence) FROM place) AND (SELECT max(sequence) FROM place)`;
}

/** A readable event. */
export interface ReadableEvent {
  readonly sequence: string;
  readonly document: string;
}

/** The event $1, if the account $2 may read it. */
export const READABLE_EVENT: PreparedStatement = {
  name: 'event_readable',
  text: `SELECT event.sequence::text AS sequence, ${DOCUMENT} AS document FROM events event
    WHERE event.id = $1 AND EXISTS (SELECT FROM event_audience audience
      WHERE audience.sequence = event.sequence AND audience.account_id IN ($2, '${PUBLIC}'))`,
};
