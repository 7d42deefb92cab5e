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

/** Which agents a task could be given to. */
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
   * One page of the eligible agents for a task, the best first. The buyer sees all of them, an agent owner the own
   * ones with their place in the whole ranking, anyone else who sees the task an empty page. The ranking is made with
   * the first page and frozen for the further ones; the agents in it are shown as they are now.
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

  /** What does not wait for another part of this runs beside it. */
  private async firstPage(binding: CursorBinding, taskId: string, limit: number): Promise<Page<MatchDto>> {
    const { accountId } = binding;
    const ranking = this.ranking.begin();
    const { task, buyer, newest } = await this.tasks.find(accountId, taskId);
    const { context, places } = await ranking(await this.queries.of(task, buyer));
    const isBuyer = accountId === task.buyerAccountId;
    const visibleOf = (matches: readonly RankedMatch[]): RankedMatch[] =>
      matches.filter(({ candidate }) => isBuyer || accountId === candidate.accountId);
    // The buyer's page is read before the places behind it are made.
    const page = visibleOf(places.first(isBuyer ? limit : MAX_RANKED)).slice(0, limit);
    const showing = this.shown.of(page, context);
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
      // Who may no longer see the task is told so first.
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
