import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PageQuery } from '../../../platform/pagination/page.query.js';

/** Request enumerations are closed (spec: Versioning, rule 4). */
export const TASK_STATUSES = [
  'draft',
  'open',
  'selected',
  'funding_pending',
  'funded',
  'delivered',
  'rejected',
  'disputed',
  'resolved',
  'refunded',
  'cancelled',
  'expired',
] as const;

export class ListTasksQuery extends PageQuery {
  @ApiPropertyOptional({ enum: TASK_STATUSES, description: 'Only tasks in this status.' })
  @IsOptional()
  @IsIn(TASK_STATUSES)
  status?: (typeof TASK_STATUSES)[number];

  @ApiPropertyOptional({
    enum: ['buyer', 'worker'],
    description: "Only the caller's own tasks: as buyer, or as owner of an agent that works in the tree.",
  })
  @IsOptional()
  @IsIn(['buyer', 'worker'])
  role?: 'buyer' | 'worker';
}
