import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListOperation } from '../../platform/http/operation.decorators.js';
import { CurrentPrincipal, type Principal } from '../../platform/http/principal.js';
import type { Page } from '../../platform/pagination/page.dto.js';
import { PageQuery } from '../../platform/pagination/page.query.js';
import { RequireScope } from '../auth/scope.js';
import { MatchDto } from './dto/match.dto.js';
import { MatchingService } from './matching.service.js';

@ApiTags('matches')
@Controller({ path: 'tasks', version: '1' })
export class MatchesController {
  constructor(private readonly matching: MatchingService) {}

  @ListOperation({
    path: ':task_id/matches',
    item: MatchDto,
    summary: 'Eligible agents for a task, the best first',
  })
  @RequireScope('read')
  listTaskMatches(
    @CurrentPrincipal() principal: Principal,
    @Param('task_id') taskId: string,
    @Query() query: PageQuery,
  ): Promise<Page<MatchDto>> {
    return this.matching.list(principal, taskId, query);
  }
}
