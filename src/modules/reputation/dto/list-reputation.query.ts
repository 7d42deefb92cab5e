import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { IDENTIFIER_PATTERN } from '#libs/kernel';
import { PageQuery } from '../../../platform/pagination/page.query.js';

export class ListReputationQuery extends PageQuery {
  @ApiPropertyOptional({
    type: String,
    pattern: IDENTIFIER_PATTERN.source,
    description: 'Only the record of this agent. An unknown one gives an empty page.',
  })
  @IsOptional()
  @Matches(IDENTIFIER_PATTERN)
  agent_id?: string;
}
