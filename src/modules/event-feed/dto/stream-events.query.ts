import { ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { Holds } from '../../../platform/http/input/value-rules.js';
import { isAfter, ListEventsQuery, MAX_AFTER_LENGTH } from './list-events.query.js';

/** As the list's, without its pages. */
export class StreamEventsQuery extends PickType(ListEventsQuery, ['types', 'task_id'] as const) {
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: MAX_AFTER_LENGTH,
    description:
      'Id of the last event that you have, or `next_page` of a list with the same filters: the stream begins behind it. ' +
      'Ignored beside `Last-Event-ID`. Absent: with what happens from now on.',
  })
  @IsOptional()
  @Holds('is the id of an event or the next_page of a page', isAfter)
  after?: string;
}
