import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsOneOf } from '../../../platform/http/input/value-rules.js';
import { PageQuery } from '../../../platform/operations/page.query.js';

/** Request enumerations are closed (docs/decisions/interface.md#enumerations). */
const NODE_STATES = ['funded', 'delivered', 'rejected', 'disputed', 'released', 'refunded'] as const;
const NODE_ROLES = ['worker', 'hirer'] as const;

export class ListAgentNodesQuery extends PageQuery {
  @ApiPropertyOptional({ enum: NODE_ROLES, description: 'Only nodes that the agent works on, or hires for.' })
  @IsOptional()
  @IsOneOf(NODE_ROLES)
  role?: (typeof NODE_ROLES)[number];

  @ApiPropertyOptional({
    enum: NODE_STATES,
    description: 'Only nodes whose `effective_state` is this: a window that has lapsed counts, written down or not.',
  })
  @IsOptional()
  @IsOneOf(NODE_STATES)
  state?: (typeof NODE_STATES)[number];
}
