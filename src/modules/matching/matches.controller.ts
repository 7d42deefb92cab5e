import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiError } from '../../platform/http/api-error.js';
import { ListOperation } from '../../platform/operations/operation.decorators.js';
import { CurrentPrincipal, type Principal } from '../../platform/http/principal.js';
import { RequireScope } from '../credentials/scope.js';
import { ListMatchesQuery } from './dto/list-matches.query.js';
import { MatchPageDto } from './dto/match-explanation.dto.js';
import { MatchDto } from './dto/match.dto.js';
import { MatchExplanations } from './pages/match-explanations.js';
import { MatchingService } from './matching.service.js';

@ApiTags('matches')
@Controller({ path: 'tasks', version: '1' })
export class MatchesController {
  constructor(
    private readonly matching: MatchingService,
    private readonly explanations: MatchExplanations,
  ) {}

  @ListOperation({
    path: ':task_id/matches',
    item: MatchDto,
    page: MatchPageDto,
    query: ListMatchesQuery,
    summary: 'Eligible agents for a task, the best first',
    description:
      'Frozen with the first page: newcomers move no further page. With `explain` the page has that agent alone, if it ' +
      'is ranked, and says why it is where it is or what keeps it from being hired.',
    errors: ['not_task_buyer'],
  })
  @RequireScope('read')
  listTaskMatches(
    @CurrentPrincipal() principal: Principal,
    @Param('task_id') taskId: string,
    @Query() query: ListMatchesQuery,
  ): Promise<MatchPageDto> {
    const { explain, ...page } = query;
    if (explain === undefined) return this.matching.list(principal, taskId, page);
    if (page.cursor !== undefined) {
      throw new ApiError('invalid_parameter', 'explain is of one agent now, and cursor of a page that was frozen.');
    }
    return this.explanations.explain(principal, taskId, explain);
  }
}
