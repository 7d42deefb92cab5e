import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IDENTIFIER_PATTERN } from '#libs/kernel';
import { IsIdentifier } from '../../../platform/http/input/value-rules.js';
import { PageQuery } from '../../../platform/operations/page.query.js';

export class ListMatchesQuery extends PageQuery {
  @ApiPropertyOptional({
    type: String,
    pattern: IDENTIFIER_PATTERN.source,
    description:
      'Only this agent, with `explanation`: where it is, or everything that keeps it from being hired. For the buyer of ' +
      'the task, and for the owner of the agent; not together with `cursor`.',
    example: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2',
  })
  @IsOptional()
  @IsIdentifier()
  explain?: string;
}
