import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { ChainPlaceDto } from '../../events/catalogue/chain-event-data.js';
import { EVENT_DATA, EVENT_TYPES } from '../../events/catalogue/event-types.js';

/** What an event is about. */
export class EventSubjectDto {
  @ApiProperty({
    type: String,
    description:
      'Values: task, quote, node, delivery, receipt, agent, action, app, api_key, wallet, webhook_endpoint. Open enumeration.',
    example: 'quote',
  })
  kind!: string;

  @ApiProperty({ type: String, example: 'quote_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  id!: string;

  @ApiPropertyOptional({
    type: String,
    description: 'The task that it belongs to.',
    example: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2',
  })
  task_id?: string;
}

/** Where to read more. */
export class EventLinksDto {
  @ApiProperty({ type: String, example: '/v1/events/evt_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  self!: string;

  @ApiProperty({
    type: String,
    description: 'What the event is about.',
    example: '/v1/tasks/task_01k9q2m4t8v6w0y2z4a6c8e0g2',
  })
  resource!: string;
}

/** An event on the wire (docs/decisions/events.md#what-an-event-says). It is stored as a document when it is recorded. */
@ApiExtraModels(...EVENT_DATA)
export class EventDto {
  @ApiProperty({ type: String, example: 'evt_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  id!: string;

  @ApiProperty({
    type: String,
    description: `What has happened; ignore types that you do not know. Today: ${EVENT_TYPES.join(', ')}`,
    example: 'quote.submitted',
  })
  type!: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-20T12:55:00.000Z' })
  timestamp!: string;

  @ApiProperty({ type: EventSubjectDto })
  subject!: EventSubjectDto;

  @ApiProperty({
    description: 'Ids, states, amounts and times. Read the rest at `links.resource`.',
    anyOf: EVENT_DATA.map((data) => ({ $ref: getSchemaPath(data) })),
  })
  data!: object;

  @ApiPropertyOptional({ type: ChainPlaceDto, description: 'Absent when it did not happen on the chain.' })
  chain?: ChainPlaceDto;

  @ApiProperty({ type: EventLinksDto })
  links!: EventLinksDto;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Orders events. It counts nothing: between two there may be any number that others see, or none.',
    example: 1_795_784_100_123_456,
  })
  sequence!: number;
}
