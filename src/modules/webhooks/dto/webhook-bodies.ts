import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsString, MaxLength } from 'class-validator';
import { IDENTIFIER_PATTERN, isIdentifier } from '#libs/kernel';
import { BodyKeywords } from '../../../platform/http/input/body-keywords.js';
import { IsInstant } from '../../../platform/http/input/instant.js';
import { Holds, MayBeAbsent } from '../../../platform/http/input/value-rules.js';
import { EVENT_TYPES } from '../../events/catalogue/event-types.js';
import { areTypes, isDescription, MAX_DESCRIPTION } from '../endpoints/endpoint-fields.js';
import { MAX_URL } from '../endpoints/endpoint-url.js';

/** Most events that one request replays by their ids. */
const MAX_REPLAYED = 100;

export class CreateWebhookEndpointBody {
  @ApiProperty({
    type: String,
    format: 'uri',
    maxLength: MAX_URL,
    description:
      'An https address without user and fragment, on port 443 or one from 1024 on, whose host has only public addresses. ' +
      'Redirects are not followed.',
    example: 'https://hooks.example/tasktree',
  })
  @IsString({ message: 'url is a text' })
  @MaxLength(MAX_URL, { message: `url has at most ${MAX_URL} characters` })
  url!: string;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string' },
    maxItems: EVENT_TYPES.length,
    description: `Only events of these types: ${EVENT_TYPES.join(', ')}. None: of every type, also of those to come.`,
    example: ['quote.submitted', 'quote.accepted'],
  })
  @MayBeAbsent()
  @Holds('is a list of known types of events, each once', areTypes)
  types?: string[];

  @ApiPropertyOptional({
    type: String,
    maxLength: MAX_DESCRIPTION,
    description: 'For its owner; an empty one removes it.',
    example: 'Ledger of the night shift',
  })
  @MayBeAbsent()
  @Holds(`is a text of at most ${MAX_DESCRIPTION} characters that can be seen`, isDescription)
  description?: string;
}

/** A change: what is absent stays as it is. */
@BodyKeywords({ minProperties: 1 })
export class UpdateWebhookEndpointBody extends PartialType(CreateWebhookEndpointBody, {
  skipNullProperties: false,
}) {
  @ApiPropertyOptional({
    type: Boolean,
    description:
      'Whether it gets events. Enabled again, it gets those from now on; `missed_since` says what to replay.',
    example: true,
  })
  @MayBeAbsent()
  @IsBoolean({ message: 'enabled is true or false' })
  enabled?: boolean;
}

const IDS_COUNT = { message: `event_ids are 1 to ${MAX_REPLAYED} identifiers of events` };

/** What is to be sent again: exactly one of the members. */
@BodyKeywords({ minProperties: 1 })
export class ReplayWebhookEventsBody {
  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Everything since this time, in order, by the types of the endpoint; in the past.',
    example: '2026-11-20T12:55:00Z',
  })
  @IsInstant()
  since?: string;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', pattern: IDENTIFIER_PATTERN.source },
    minItems: 1,
    maxItems: MAX_REPLAYED,
    description: 'These events, whatever the types of the endpoint.',
  })
  @MayBeAbsent()
  @ArrayMaxSize(MAX_REPLAYED, IDS_COUNT)
  @ArrayMinSize(1, IDS_COUNT)
  @IsArray(IDS_COUNT)
  @Holds('are identifiers of events', (value) => !Array.isArray(value) || value.every(isId))
  event_ids?: string[];

  @ApiPropertyOptional({
    type: Boolean,
    description: 'True: every event that the endpoint did not take.',
  })
  @MayBeAbsent()
  @Holds('is true', (value) => value === true)
  failed?: boolean;
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && isIdentifier(value);
}
