import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsString, MaxLength } from 'class-validator';
import { hidesText, IDENTIFIER_PATTERN, isIdentifier } from '#libs/kernel';
import { BodyKeywords } from '../../../platform/http/input/body-keywords.js';
import { IsInstant } from '../../../platform/http/input/instant.js';
import { Holds, MayBeAbsent } from '../../../platform/http/input/value-rules.js';
import { EVENT_TYPES } from '../../events/catalogue/event-types.js';
import { MAX_URL } from '../endpoints/endpoint-url.js';

/** Longest description, in characters. */
const MAX_DESCRIPTION = 200;
/** Most events that one request replays by their ids. */
const MAX_REPLAYED = 100;
const KNOWN: ReadonlySet<unknown> = new Set(EVENT_TYPES);

const URL_MEMBER = {
  type: String,
  format: 'uri',
  maxLength: MAX_URL,
  description:
    'An https address without user and fragment, on port 443 or one from 1024 on, whose host has only public addresses. ' +
    'Redirects are not followed.',
  example: 'https://hooks.example/tasktree',
} as const;
const DESCRIPTION_MEMBER = {
  type: String,
  maxLength: MAX_DESCRIPTION,
  description: 'For its owner; an empty one removes it.',
  example: 'Ledger of the night shift',
} as const;
const TYPES_MEMBER = {
  type: 'array',
  items: { type: 'string' },
  maxItems: EVENT_TYPES.length,
  description: `Only events of these types: ${EVENT_TYPES.join(', ')}. None: of every type, also of those to come.`,
  example: ['quote.submitted', 'quote.accepted'],
} satisfies ApiPropertyOptions;
const TYPES_RULE = 'is a list of known types of events, each once';
const DESCRIPTION_RULE = `is a text of at most ${MAX_DESCRIPTION} characters that can be seen`;

export class CreateWebhookEndpointBody {
  @ApiProperty(URL_MEMBER)
  @IsString({ message: 'url is a text' })
  @MaxLength(MAX_URL, { message: `url has at most ${MAX_URL} characters` })
  url!: string;

  @ApiPropertyOptional(TYPES_MEMBER)
  @MayBeAbsent()
  @Holds(TYPES_RULE, areTypes)
  types?: string[];

  @ApiPropertyOptional(DESCRIPTION_MEMBER)
  @MayBeAbsent()
  @Holds(DESCRIPTION_RULE, isDescription)
  description?: string;
}

/** A change: what is absent stays as it is. */
@BodyKeywords({ minProperties: 1 })
export class UpdateWebhookEndpointBody {
  @ApiPropertyOptional(URL_MEMBER)
  @MayBeAbsent()
  @IsString({ message: 'url is a text' })
  @MaxLength(MAX_URL, { message: `url has at most ${MAX_URL} characters` })
  url?: string;

  @ApiPropertyOptional(TYPES_MEMBER)
  @MayBeAbsent()
  @Holds(TYPES_RULE, areTypes)
  types?: string[];

  @ApiPropertyOptional(DESCRIPTION_MEMBER)
  @MayBeAbsent()
  @Holds(DESCRIPTION_RULE, isDescription)
  description?: string;

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

/** Request enumerations are closed (docs/decisions/interface.md#enumerations). */
function areTypes(value: unknown): boolean {
  return (
    Array.isArray(value) && value.every((type) => KNOWN.has(type)) && new Set<unknown>(value).size === value.length
  );
}

function isDescription(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_DESCRIPTION && !hidesText(value);
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && isIdentifier(value);
}
