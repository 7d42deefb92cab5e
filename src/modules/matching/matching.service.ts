import { Injectable } from '@nestjs/common';
import { ApiError } from '../../platform/http/api-error.js';
import type { Principal } from '../../platform/http/principal.js';
import { type CursorBinding, Cursors } from '../../platform/pagination/cursor.js';
import type { Page } from '../../platform/pagination/page.dto.js';
import type { PageQuery } from '../../platform/pagination/page.query.js';
import { TaskAccess } from '../tasks/task-access.js';
import type { TaskEntity } from '../tasks/task.entity.js';
import { AgentRanking, MAX_RANKED } from './agent-ranking.js';
import { MatchDto } from './dto/match.dto.js';
import { MatchListAccess } from './match-list-access.js';
import { MatchSnapshots } from './match-snapshots.js';

/** The part of a ranking that one page shows. */
interface Slice {
  /** JSON array of `RankedAgent`. */
  json: string;
  nextPage: string | null;
}

/** Which agents a task could be given to. */
@Injectable()
export class MatchingService {
  constructor(
    private readonly access: TaskAccess,
    private readonly ranking: AgentRanking,
    private readonly snapshots: MatchSnapshots,
    private readonly listAccess: MatchListAccess,
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
    const position = cursor === undefined ? null : this.cursors.open(binding, cursor);
    const task = await this.access.find(accountId, taskId);
    const slice =
      position === null
        ? await this.firstSlice(binding, task, limit)
        : await this.furtherSlice(binding, task, limit, position);
    const rows = await this.ranking.showAgents(slice.json);
    return { data: rows.map((row) => MatchDto.from(row)), next_page: slice.nextPage };
  }

  private async firstSlice(binding: CursorBinding, task: TaskEntity, limit: number): Promise<Slice> {
    const { accountId } = binding;
    const matches = await this.ranking.rankAgents(task, MAX_RANKED);
    await this.listAccess.admit(accountId, task, matches);
    const visible = matches
      .filter(({ ownerAccountId }) => accountId === task.buyerAccountId || accountId === ownerAccountId)
      .map(({ agent_id, rank, score, reason }) => ({ agent_id, rank, score, reason }));
    const json = JSON.stringify(visible.slice(0, limit));
    if (visible.length <= limit) return { json, nextPage: null };
    const id = await this.snapshots.freeze({ taskId: task.id, accountId }, visible);
    return { json, nextPage: this.cursors.seal(binding, [id, String(limit)]) };
  }

  private async furtherSlice(
    binding: CursorBinding,
    task: TaskEntity,
    limit: number,
    [id = '', offset = '']: readonly string[],
  ): Promise<Slice> {
    const start = Number(offset);
    const owner = { taskId: task.id, accountId: binding.accountId };
    const slice = await this.snapshots.slice(owner, id, start, limit);
    if (slice === null) {
      throw new ApiError('invalid_cursor', 'The ranking of this cursor has expired.', 'Start again without a cursor.');
    }
    const end = start + limit;
    return { json: slice.json, nextPage: end < slice.size ? this.cursors.seal(binding, [id, String(end)]) : null };
  }
}
