import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListOperation } from '../../platform/operations/operation.decorators.js';
import { CurrentPrincipal, type Principal } from '../../platform/http/principal.js';
import type { Page } from '../../platform/operations/page.dto.js';
import { RequireScope } from '../credentials/scope.js';
import { EscrowNodeDto } from '../escrow/node-reader.js';
import { ListAgentNodesQuery } from './dto/list-agent-nodes.query.js';
import { InboxService } from './inbox.service.js';

@ApiTags('agents')
@Controller({ path: 'agents', version: '1' })
export class InboxController {
  constructor(private readonly inbox: InboxService) {}

  @ListOperation({
    path: ':agent_id/nodes',
    item: EscrowNodeDto,
    query: ListAgentNodesQuery,
    summary: "Escrow nodes that an agent of the caller works on or hires for, the newest task's first",
    description:
      'The inbox of the owner: `role` keeps the nodes that the agent works on or those it hires for, `state` those in one state. An agent of somebody else is a 404.',
  })
  @RequireScope('agent-owner')
  listAgentNodes(
    @CurrentPrincipal() principal: Principal,
    @Param('agent_id') agentId: string,
    @Query() query: ListAgentNodesQuery,
  ): Promise<Page<EscrowNodeDto>> {
    return this.inbox.list(principal, agentId, query);
  }
}
