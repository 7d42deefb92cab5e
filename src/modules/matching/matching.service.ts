import { Injectable } from '@nestjs/common';
import { ApiError } from '../../platform/http/api-error.js';
import type { Principal } from '../../platform/http/principal.js';
import { type CursorBinding, Cursors } from '../../platform/pagination/cursor.js';
import type { Page } from '../../platform/operations/page.dto.js';
import type { PageQuery } from '../../platform/operations/page.query.js';
import { TaskAccess } from '../tasks/visibility/task-access.js';
import { AgentRanking, MAX_RANKED, type RankedMatch } from './ranking/agent-ranking.js';
import type { MatchDto } from './dto/match.dto.js';
import { MatchQueries } from './ranking/match-query.js';
import { impressionsOf } from './pages/match-impressions.js';
import { MatchedTasks } from './pages/matched-tasks.js';
import { MatchSnapshots } from './pages/match-snapshots.js';
import { anyOfLexemes } from './relevance/lexemes.js';
import { presentMatch, MatchPresenter } from './pages/match-presenter.js';

/** Lists the agents that could be hired for a task. */
@Injectable()
export class MatchingService {
  constructor(
    private readonly access: TaskAccess,
    private readonly ranking: AgentRanking,
    private readonly tasks: MatchedTasks,
    private readonly queries: MatchQueries,
    private readonly shown: MatchPresenter,
    private readonly snapshots: MatchSnapshots,
    private readonly cursors: Cursors,
  ) {}

  /**
   * One page of the eligible agents for a task, the best first. The buyer sees all of them; the owner of agents sees
   * only their own, with their places in the whole ranking; anyone else who may see the task gets an empty page. The
   * first page computes the ranking and freezes it for the further pages, but the agents are always shown as they are
   * now.
   * @throws ApiError `invalid_cursor`, also when the frozen ranking has expired; `not_found` for a task the caller may
   * not see.
   */
  async list(principal: Pick<Principal, 'accountId'>, taskId: string, query: PageQuery): Promise<Page<MatchDto>> {
    const { accountId } = principal;
    const { cursor, limit } = query;
    const binding = { accountId, operationId: 'listTaskMatches', filters: { task_id: taskId } };
    if (cursor === undefined) return this.firstPage(binding, taskId, limit);
    const position = this.cursors.open(binding, cursor);
    return this.furtherPage(binding, taskId, limit, position);
  }

  /** Computes the ranking and the first page. Steps that do not depend on each other run concurrently. */
  private async firstPage(binding: CursorBinding, taskId: string, limit: number): Promise<Page<MatchDto>> {
    const { accountId } = binding;
    const ranking = this.ranking.begin();
    const { task, buyer, newest } = await this.tasks.find(accountId, taskId);
    const { context, places } = await ranking(await this.queries.queryFor(task, buyer));
    const isBuyer = accountId === task.buyerAccountId;
    const visibleOf = (matches: readonly RankedMatch[]): RankedMatch[] =>
      matches.filter(({ candidate }) => isBuyer || accountId === candidate.accountId);
    // The buyer's page is loaded before the places after it are computed.
    const page = visibleOf(places.first(isBuyer ? limit : MAX_RANKED)).slice(0, limit);
    const showing = this.shown.present(page, context);
    const matches = places.first(MAX_RANKED);
    const visible = visibleOf(matches);
    const { anchored, shownAgents } = context.query;
    const keeping = this.snapshots.keep(
      { taskId, accountId },
      {
        ranking:
          visible.length > limit ? { matches: visible, words: anyOfLexemes(context.words.lexemes), anchored } : null,
        newest,
        counted: impressionsOf(accountId, task, matches.slice(0, limit), shownAgents),
      },
    );
    const [data, id] = await Promise.all([showing, keeping]);
    return { data, next_page: id === null ? null : this.cursors.seal(binding, [id, String(limit)]) };
  }

  private async furtherPage(
    binding: CursorBinding,
    taskId: string,
    limit: number,
    [id = '', offset = '']: readonly string[],
  ): Promise<Page<MatchDto>> {
    const { accountId } = binding;
    const start = Number(offset);
    const page = await this.snapshots.page({ taskId, accountId }, id, start, limit);
    if (page === null) {
      // A caller who may no longer see the task gets `not_found` instead.
      await this.access.find(accountId, taskId);
      throw new ApiError('invalid_cursor', 'The ranking of this cursor has expired.', 'Start again without a cursor.');
    }
    const end = start + limit;
    const data = page.places.flatMap(({ match, row }) =>
      row === null ? [] : [presentMatch(match, row, page.anchored)],
    );
    return { data, next_page: end < page.size ? this.cursors.seal(binding, [id, String(end)]) : null };
  }
}
