import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsOneOf } from '../../../platform/http/input/value-rules.js';
import { PageQuery } from '../../../platform/operations/page.query.js';

/** Request enumerations are closed (docs/decisions/interface.md#enumerations). */
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
  @IsOneOf(TASK_STATUSES)
  status?: (typeof TASK_STATUSES)[number];

  @ApiPropertyOptional({
    enum: ['buyer', 'worker'],
    description: "Only the caller's own tasks: as buyer, or as owner of an agent that works in the tree.",
  })
  @IsOptional()
  @IsOneOf(['buyer', 'worker'])
  role?: 'buyer' | 'worker';
}
