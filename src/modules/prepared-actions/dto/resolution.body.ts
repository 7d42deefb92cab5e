import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IDENTIFIER_PATTERN } from '#libs/kernel';
import { IsIdentifier, IsOneOf, MayBeAbsent } from '../../../platform/http/input/value-rules.js';
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

/** A member that names one of the task's root nodes, of which several hold money where the buyer has paid more than one. */
export function OptionalRootNode(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: String,
      pattern: IDENTIFIER_PATTERN.source,
      description: 'Which root node of the task, where the buyer has paid for several; absent: the newest.',
      example: 'node_01k9q2m4t8v6w0y2z4a6c8e0g2_1',
    }),
    MayBeAbsent(),
    IsIdentifier(),
  );
}

/** As `ResolutionBody`, for the buyer, whose path names no node. */
export class TaskResolutionBody extends ResolutionBody {
  @OptionalRootNode()
  node_id?: string;
}
