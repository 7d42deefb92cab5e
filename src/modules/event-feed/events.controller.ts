import { Controller, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, type Principal } from '../../platform/http/principal.js';
import { ListOperation, ReadOperation, StreamOperation } from '../../platform/operations/operation.decorators.js';
import type { Page } from '../../platform/operations/page.dto.js';
import { RequireScope } from '../credentials/scope.js';
import { EventDto } from './dto/event.dto.js';
import { ListEventsQuery } from './dto/list-events.query.js';
import { StreamEventsQuery } from './dto/stream-events.query.js';
import { EventFeedService } from './reading/event-feed.service.js';
import { EventStreams } from './stream/event-streams.js';

const EXAMPLE_STREAM =
  ': tasktree events\nretry: 2000\n\n' +
  'id: evt_01k9q2m4t8v6w0y2z4a6c8e0g2\nevent: task.opened\n' +
  'data: {"id":"evt_01k9q2m4t8v6w0y2z4a6c8e0g2","type":"task.opened"}\n\n:\n\n';

@ApiTags('events')
@Controller({ path: 'events', version: '1' })
export class EventsController {
  constructor(
    private readonly feed: EventFeedService,
    private readonly streams: EventStreams,
  ) {}

  @ListOperation({
    item: EventDto,
    query: ListEventsQuery,
    summary: 'What has happened to what the caller may see, oldest first',
    description:
      'Who may read an event is decided when it happens, and stays so. To follow, keep the id of the last event and send ' +
      'it as `after`: nothing is left out, and nothing comes twice. An event is here within a fraction of a second and ' +
      'kept for at least 90 days.',
  })
  @RequireScope('read')
  listEvents(@CurrentPrincipal() principal: Principal, @Query() query: ListEventsQuery): Promise<Page<EventDto>> {
    return this.feed.list(principal, query);
  }

  @StreamOperation({
    path: 'stream',
    query: StreamEventsQuery,
    frames:
      'Server-sent events: `id` is the id of the event, `event` its type, and `data` the event as `getEvent` shows it.',
    example: EXAMPLE_STREAM,
    summary: 'What happens to what the caller may see, as it happens',
    description:
      'An answer of the type `text/event-stream` that goes on: it begins with what happens from now on, or behind the event ' +
      'that you name. A comment comes every 15 seconds. The stream ends after 10 minutes, when the credential ends, when ' +
      'the service stops, and when too much is left unread: connect again with the last `id` in `Last-Event-ID`, and ' +
      'nothing is left out and nothing comes twice. A frame without `data` only tells where the stream begins. A ' +
      'credential has at most three streams open. To have a stream counts as one request.',
  })
  @RequireScope('read')
  streamEvents(
    @CurrentPrincipal() principal: Principal,
    @Query() query: StreamEventsQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.answer(principal, query, response.req.get('Last-Event-ID'), response);
  }

  @ReadOperation({
    path: ':event_id',
    response: EventDto,
    summary: 'One event',
    description: 'As the list shows it.',
  })
  @RequireScope('read')
  getEvent(@CurrentPrincipal() principal: Principal, @Param('event_id') eventId: string): Promise<EventDto> {
    return this.feed.get(principal, eventId);
  }
}
