import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { IDENTIFIER_PATTERN } from '#libs/kernel';
import { PageQuery } from '../../../platform/operations/page.query.js';

export class ListReceiptsQuery extends PageQuery {
  @ApiPropertyOptional({
    type: String,
    pattern: IDENTIFIER_PATTERN.source,
    description: 'Only receipts of this task. An unknown or invisible one gives an empty page.',
  })
  @IsOptional()
  @Matches(IDENTIFIER_PATTERN)
  task_id?: string;
}
