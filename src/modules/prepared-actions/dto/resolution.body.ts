import { ApiProperty } from '@nestjs/swagger';
import { IsOneOf } from '../../../platform/http/input/value-rules.js';
import { OptionalVisibleText } from './optional-visible-text.js';

/** Request enumerations are closed; rejecting is an operation of its own. */
const RESOLUTIONS = ['accept'] as const;

export class ResolutionBody {
  @ApiProperty({ enum: RESOLUTIONS, example: 'accept' })
  @IsOneOf(RESOLUTIONS)
  resolution!: (typeof RESOLUTIONS)[number];

  @OptionalVisibleText({
    description:
      'A note of the caller. It is bound to `request_digest` and kept with the action, and shown to nobody else.',
    example: 'All criteria are met.',
  })
  reason?: string;
}
