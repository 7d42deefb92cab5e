import { Injectable } from '@nestjs/common';
import { ReadConnections } from '../../platform/database/reads/read-connections.js';
import { ApiError } from '../../platform/http/api-error.js';
import type { Principal } from '../../platform/http/principal.js';
import type { PageJson } from '../../platform/http/raw-json.js';
import { type CursorBinding, Cursors } from '../../platform/pagination/cursor.js';
import { pageOfDocuments } from '../../platform/pagination/rendered-page.sql.js';
import {
  BEFORE_ALL_EVENTS,
  EVENT_POSITION,
  eventListStatement,
  type EventPageRow,
  READABLE_EVENT,
  type ReadableEvent,
} from '../events/log/event-list.sql.js';
import type { EventDto } from './dto/event.dto.js';
import type { ListEventsQuery } from './dto/list-events.query.js';

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
  async list({ accountId }: Reader, query: ListEventsQuery): Promise<PageJson<EventDto>> {
    const { limit, task_id: taskId } = query;
    const types = query.types && [...new Set(query.types)].sort();
    const binding = { accountId, operationId: 'listEvents', filters: { task_id: taskId, types: types?.join() } };
    const behind = await this.startOf(query, binding);
    const { name, text } = eventListStatement(limit, { byTypes: types !== undefined, byTask: taskId !== undefined });
    const values = [accountId, behind, ...(taskId === undefined ? [] : [taskId]), ...(types ? [types] : [])];
    const [page] = await this.reads.query<EventPageRow>(name, text, values);
    return pageOfDocuments(page, EVENT_POSITION, (position) => this.cursors.seal(binding, position));
  }

  /** One event. @throws ApiError `not_found`, also when the caller may not read it. */
  async get({ accountId }: Reader, eventId: string): Promise<EventDto> {
    const event = await this.find(accountId, eventId);
    if (!event) throw new ApiError('not_found', 'There is no such event.');
    return JSON.parse(event.document) as EventDto;
  }

  private async startOf({ cursor, after }: ListEventsQuery, binding: CursorBinding): Promise<string> {
    const start = cursor ?? after;
    if (start === undefined) return BEFORE_ALL_EVENTS;
    if (cursor !== undefined || !EVENT_ID.test(start)) return this.cursors.open(binding, start)[0] ?? BEFORE_ALL_EVENTS;
    const event = await this.find(binding.accountId, start);
    if (event) return event.sequence;
    throw new ApiError(
      'invalid_cursor',
      'There is no such event for this caller, or it is no longer kept.',
      'Read the present state, and start again without `after`.',
    );
  }

  private async find(accountId: string, eventId: string): Promise<ReadableEvent | undefined> {
    const { name, text } = READABLE_EVENT;
    const [event] = await this.reads.queryParsed<ReadableEvent>(name, text, [eventId, accountId]);
    return event;
  }
}
