import { Injectable } from '@nestjs/common';
import { ReadConnections } from '../../platform/database/read-connections.js';
import type { Principal } from '../../platform/http/principal.js';
import type { RawJson } from '../../platform/http/raw-json.js';
import { Cursors } from '../../platform/pagination/cursor.js';
import { pageJson } from '../../platform/pagination/page-json.js';
import type { ListTasksQuery } from './dto/list-tasks.query.js';
import { AFTER_ALL_TASKS, type TaskListRow, taskListStatement } from './task-list.sql.js';

/** The list of tasks. */
@Injectable()
export class TasksService {
  constructor(
    private readonly reads: ReadConnections,
    private readonly cursors: Cursors,
  ) {}

  /** One page of the tasks visible to the caller, newest first, copied from their stored documents. */
  async list(principal: Principal, query: ListTasksQuery): Promise<RawJson> {
    const { limit, status, role } = query;
    const binding = { accountId: principal.accountId, operationId: 'listTasks', filters: { status, role } };
    const [below] = query.cursor === undefined ? [AFTER_ALL_TASKS] : this.cursors.open(binding, query.cursor);
    const statement = taskListStatement(limit, role, status !== undefined);
    const values = status === undefined ? [principal.accountId, below] : [principal.accountId, below, status];
    const [page] = await this.reads.query<TaskListRow>(statement.name, statement.text, values);
    const next = page?.more === 't' && page.last !== null ? this.cursors.seal(binding, [page.last]) : null;
    return pageJson(page?.documents ?? '', next);
  }
}
