import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal } from '../../platform/http/principal.js';
import { ListOperation, ReadOperation } from '../../platform/operations/operation.decorators.js';
import type { Page } from '../../platform/operations/page.dto.js';
import { RequireScope } from '../credentials/scope.js';
import { EventDto } from './dto/event.dto.js';
import { ListEventsQuery } from './dto/list-events.query.js';
import { EventFeedService } from './event-feed.service.js';

@ApiTags('events')
@Controller({ path: 'events', version: '1' })
export class EventsController {
  constructor(private readonly feed: EventFeedService) {}

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
