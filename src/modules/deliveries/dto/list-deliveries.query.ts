import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IDENTIFIER_PATTERN } from '#libs/kernel';
import { IsIdentifier } from '../../../platform/http/input/value-rules.js';
import { PageQuery } from '../../../platform/operations/page.query.js';

export class ListDeliveriesQuery extends PageQuery {
  @ApiPropertyOptional({
    type: String,
    pattern: IDENTIFIER_PATTERN.source,
    description: 'Only deliveries of this task. An unknown or invisible one gives an empty page.',
  })
  @IsOptional()
  @IsIdentifier()
  task_id?: string;
}
