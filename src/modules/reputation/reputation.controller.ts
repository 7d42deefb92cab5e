import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListOperation } from '../../platform/operations/operation.decorators.js';
import { CurrentPrincipal, type Principal } from '../../platform/http/principal.js';
import type { Page } from '../../platform/operations/page.dto.js';
import { RequireScope } from '../credentials/scope.js';
import { ListReputationQuery } from './dto/list-reputation.query.js';
import { ReputationRecordDto } from './dto/reputation-record.dto.js';
import { ReputationListService } from './reputation-list.service.js';

@ApiTags('reputation')
@Controller({ path: 'reputation', version: '1' })
export class ReputationController {
  constructor(private readonly reputation: ReputationListService) {}

  @ListOperation({
    item: ReputationRecordDto,
    query: ListReputationQuery,
    summary: 'Reputation records, the best score first',
    description:
      'Every caller sees all records; `agent_id` keeps the one of an agent. An agent without settled work has none.',
  })
  @RequireScope('read')
  listReputation(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListReputationQuery,
  ): Promise<Page<ReputationRecordDto>> {
    return this.reputation.list(principal, query);
  }
}
