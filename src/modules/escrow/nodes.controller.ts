import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListOperation } from '../../platform/operations/operation.decorators.js';
import { CurrentPrincipal, type Principal } from '../../platform/http/principal.js';
import type { Page } from '../../platform/operations/page.dto.js';
import { PageQuery } from '../../platform/operations/page.query.js';
import { RequireScope } from '../credentials/scope.js';
import { EscrowNodeDto } from './dto/escrow-node.dto.js';
import { NodesService } from './nodes.service.js';

@ApiTags('nodes')
@Controller({ path: 'tasks', version: '1' })
export class NodesController {
  constructor(private readonly nodes: NodesService) {}

  @ListOperation({
    path: ':task_id/nodes',
    item: EscrowNodeDto,
    summary: 'Escrow nodes of a task that are visible to the caller, each before those below it',
    description:
      'The buyer sees the whole tree; the owner of an agent its own nodes, those it hired for and those above them. Parents come before children.',
  })
  @RequireScope('read')
  listTaskNodes(
    @CurrentPrincipal() principal: Principal,
    @Param('task_id') taskId: string,
    @Query() query: PageQuery,
  ): Promise<Page<EscrowNodeDto>> {
    return this.nodes.list(principal, taskId, query);
  }
}
