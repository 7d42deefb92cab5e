import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional } from 'class-validator';
import { IDENTIFIER_PATTERN } from '#libs/kernel';
import { Holds, IsIdentifier } from '../../../platform/http/input/value-rules.js';
import { PageQuery } from '../../../platform/operations/page.query.js';
import { EVENT_TYPES, isEventType } from '../../events/catalogue/event-types.js';

/** Of `after`, in characters. */
export const MAX_AFTER_LENGTH = 2048;

export class ListEventsQuery extends PageQuery {
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: MAX_AFTER_LENGTH,
    description:
      'Id of the last event that you have, or `next_page` of another page: the list begins behind it. Ignored beside ' +
      '`cursor`. Absent: from the oldest event that is kept.',
  })
  @IsOptional()
  @Holds('is the id of an event or the next_page of another page', isAfter)
  after?: string;

  @ApiPropertyOptional({
    type: String,
    description: `Only events of these types, separated by commas: ${EVENT_TYPES.join(', ')}`,
    example: 'quote.submitted,quote.accepted',
  })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value))
  @Holds('is a list of known types of events, separated by commas', areTypes)
  types?: string[];

  @ApiPropertyOptional({
    type: String,
    pattern: IDENTIFIER_PATTERN.source,
    description: 'Only events of this task and its quotes. An unknown or invisible one gives an empty page.',
  })
  @IsOptional()
  @IsIdentifier()
  task_id?: string;
}

/** Whether `after` can be an event's id or a cursor at all. */
export function isAfter(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= MAX_AFTER_LENGTH;
}

/** Request enumerations are closed (docs/decisions/interface.md#enumerations). */
function areTypes(value: unknown): boolean {
  return Array.isArray(value) && value.every(isEventType);
}
