import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IDENTIFIER_PATTERN } from '#libs/kernel';
import { IsIdentifier } from '../../../platform/http/input/value-rules.js';
import { PageQuery } from '../../../platform/operations/page.query.js';

export class ListReputationQuery extends PageQuery {
  @ApiPropertyOptional({
    type: String,
    pattern: IDENTIFIER_PATTERN.source,
    description: 'Only the record of this agent. An unknown one gives an empty page.',
  })
  @IsOptional()
  @IsIdentifier()
  agent_id?: string;
}
