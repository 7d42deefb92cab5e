import { Injectable } from '@nestjs/common';
import { ReadConnections } from '../../platform/database/reads/read-connections.js';
import type { Principal } from '../../platform/http/principal.js';
import { Cursors } from '../../platform/pagination/cursor.js';
import { pageOf } from '../../platform/pagination/page.js';
import type { Page } from '../../platform/operations/page.dto.js';
import type { PageQuery } from '../../platform/operations/page.query.js';
import { Clock } from '../../platform/time/clock.js';
import { utcTime } from '../../platform/time/unix-time.js';
import { TaskAccess } from '../tasks/visibility/task-access.js';
import { EscrowNodeDto } from './dto/escrow-node.dto.js';
import { nodeListStatement } from './node-list.sql.js';
import { type ListedNodesRow, listedNodes } from './node/listed-node.sql.js';

/** Reads the nodes of a task. */
@Injectable()
export class NodesService {
  constructor(
    private readonly reads: ReadConnections,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
    private readonly tasks: TaskAccess,
  ) {}

  /**
   * One page of the nodes of a task that are visible to the caller, each before those below it. Time is
   * applied to them as the contract applies it, so a lapsed window shows without waiting for a transaction.
   * @throws ApiError `not_found` for a task the caller may not see, `invalid_cursor`.
   */
  async list(principal: Pick<Principal, 'accountId'>, taskId: string, query: PageQuery): Promise<Page<EscrowNodeDto>> {
    const { accountId } = principal;
    const { cursor, limit } = query;
    const binding = { accountId, operationId: 'listTaskNodes', filters: { task_id: taskId } };
    const [after = ''] = cursor === undefined ? [] : this.cursors.open(binding, cursor);
    const nowSeconds = this.clock.nowSeconds();
    const { name, text } = nodeListStatement(limit + 1);
    const now = utcTime(nowSeconds);
    const nodes = listedNodes(await this.reads.query<ListedNodesRow>(name, text, [taskId, accountId, after, now]));
    // No nodes may also mean that the task does not exist or that the caller may not see it.
    if (nodes.length === 0) await this.tasks.find(accountId, taskId);
    return pageOf(
      nodes,
      limit,
      (node) => EscrowNodeDto.from(node, accountId, nowSeconds),
      (node) => [node.get('path')],
      (position) => this.cursors.seal(binding, position),
    );
  }
}
