import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { ActionStatus } from '#libs/prepared-action';
import { IsOneOf } from '../../../platform/http/input/value-rules.js';
import { PageQuery } from '../../../platform/operations/page.query.js';

/** Request enumerations are closed (docs/decisions/interface.md#enumerations). */
const KNOWN_STATUSES = {
  prepared: true,
  opened: true,
  signed: true,
  submitted: true,
  confirmed: true,
  final: true,
  declined: true,
  expired: true,
  superseded: true,
  failed: true,
  unknown: true,
} as const satisfies Record<ActionStatus, true>;

export const ACTION_STATUSES = Object.keys(KNOWN_STATUSES) as ActionStatus[];

export class ListActionsQuery extends PageQuery {
  @ApiPropertyOptional({ enum: ACTION_STATUSES, description: 'Only actions in this status.', example: 'prepared' })
  @IsOptional()
  @IsOneOf(ACTION_STATUSES)
  status?: ActionStatus;
}
