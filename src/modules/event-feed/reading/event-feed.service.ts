import { Injectable } from '@nestjs/common';
import { isIdentifier } from '#libs/kernel';
import { ReadConnections } from '../../../platform/database/reads/read-connections.js';
import { ApiError } from '../../../platform/http/api-error.js';
import type { Principal } from '../../../platform/http/principal.js';
import type { PageJson } from '../../../platform/http/raw-json.js';
import { type CursorBinding, Cursors } from '../../../platform/pagination/cursor.js';
import { pageOfDocuments } from '../../../platform/pagination/rendered-page.sql.js';
import { eventsBehind, headOf, type LoggedEvent } from '../../events/events.sql-views.js';
import {
  BEFORE_ALL_EVENTS,
  EVENT_POSITION,
  type EventFilters,
  eventListStatement,
  type EventPageRow,
  READABLE_EVENT,
  type ReadableEvent,
} from '../../events/log/event-list.sql.js';
import type { EventDto } from '../dto/event.dto.js';
import type { ListEventsQuery } from '../dto/list-events.query.js';
import type { EventSelection, PastEvents } from './past-events.js';

type Reader = Pick<Principal, 'accountId'>;

/** How ids of events begin, which no cursor does. */
const EVENT_ID = /^evt_/;

/** Reads the log of events. */
@Injectable()
export class EventFeedService {
  constructor(
    private readonly reads: ReadConnections,
    private readonly cursors: Cursors,
  ) {}

  /**
   * One page of the events that the caller may read, oldest first.
   * @throws ApiError `invalid_cursor`, also for `after` an event that is not there for the caller: an empty page would
   *   look as if nothing had happened since.
   */
  async list(reader: Reader, query: ListEventsQuery): Promise<PageJson<EventDto>> {
    const selection = this.select(reader, query);
    const binding = bindingOf(selection);
    const { cursor, after, limit } = query;
    const behind =
      cursor === undefined ? await this.positionOf(selection, after) : (this.cursors.open(binding, cursor)[0] ?? null);
    const page = await this.page(selection, behind ?? BEFORE_ALL_EVENTS, limit);
    return pageOfDocuments(page, EVENT_POSITION, (position) => this.cursors.seal(binding, position));
  }

  /** What the caller asks for. */
  select({ accountId }: Reader, query: Pick<ListEventsQuery, 'types' | 'task_id'>): EventSelection {
    return { accountId, types: query.types && [...new Set(query.types)].sort(), taskId: query.task_id };
  }

  /**
   * Where the event or the cursor `after` stands; null without one.
   * @throws ApiError `invalid_cursor`, as `list`.
   */
  async positionOf(selection: EventSelection, after: string | undefined): Promise<string | null> {
    if (after === undefined) return null;
    if (!EVENT_ID.test(after)) return this.cursors.open(bindingOf(selection), after)[0] ?? BEFORE_ALL_EVENTS;
    const event = isIdentifier(after) ? await this.find(selection.accountId, after) : null;
    if (event) return event.sequence;
    throw new ApiError(
      'invalid_cursor',
      'There is no such event for this caller, or it is no longer kept.',
      'Read the present state, and start again without `after`.',
    );
  }

  /** A cursor of the position, which `after` takes with the same selection. */
  cursorAt(selection: EventSelection, position: number): string {
    return this.cursors.seal(bindingOf(selection), [String(position)]);
  }

  /** The first events behind a position, at most `limit`. */
  async eventsBehind(selection: EventSelection, position: number, limit: number): Promise<PastEvents> {
    const { name, text } = eventsBehind(limit + 1, filtersOf(selection));
    const rows = await this.reads.queryParsed<LoggedEvent>(name, text, valuesOf(selection, String(position)));
    const events = rows.slice(0, limit).map((row) => {
      const { id, type, subject } = headOf(row);
      return { sequence: Number(row.sequence), id, type, taskId: subject.task_id ?? null, document: row.document };
    });
    return { events, more: rows.length > limit };
  }

  /** One event. @throws ApiError `not_found`, also when the caller may not read it. */
  async get({ accountId }: Reader, eventId: string): Promise<EventDto> {
    const event = await this.find(accountId, eventId);
    if (!event) throw new ApiError('not_found', 'There is no such event.');
    return JSON.parse(event.document) as EventDto;
  }

  private async page(selection: EventSelection, behind: string, limit: number): Promise<EventPageRow | undefined> {
    const { name, text } = eventListStatement(limit, filtersOf(selection));
    const [page] = await this.reads.query<EventPageRow>(name, text, valuesOf(selection, behind));
    return page;
  }

  private async find(accountId: string, eventId: string): Promise<ReadableEvent | undefined> {
    const { name, text } = READABLE_EVENT;
    const [event] = await this.reads.queryParsed<ReadableEvent>(name, text, [eventId, accountId]);
    return event;
  }
}

/** A stream goes on where a list has stopped, so a cursor is the same for both. */
function bindingOf({ accountId, types, taskId }: EventSelection): CursorBinding {
  return { accountId, operationId: 'listEvents', filters: { task_id: taskId, types: types?.join() } };
}

function filtersOf({ types, taskId }: EventSelection): EventFilters {
  return { byTypes: types !== undefined, byTask: taskId !== undefined };
}

/** The parameters of a statement of events behind a position. */
function valuesOf({ accountId, types, taskId }: EventSelection, behind: string): unknown[] {
  return [accountId, behind, ...(taskId === undefined ? [] : [taskId]), ...(types ? [types] : [])];
}
