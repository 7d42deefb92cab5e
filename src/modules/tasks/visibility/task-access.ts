import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { columnsSql, entityOf } from '../../../platform/database/entity-rows.js';
import { SearchConnections } from '../../../platform/database/reads/read-connections.js';
import { type PreparedStatement, Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { TaskEntity } from '../task/task.entity.js';
import { asOf } from '../task/task.lifecycle.js';
import { type ReadWithTask, taskSeen } from './task-visibility.sql.js';

/** Finds a task and checks that the account may see it. */
@Injectable()
export class TaskAccess {
  private columns: string | undefined;

  constructor(
    private readonly transactions: Transactions,
    private readonly searches: SearchConnections,
    private readonly clock: Clock,
  ) {}

  /**
   * The task with its current status.
   * @throws ApiError `not_found` both for a task that does not exist and for one that the account may not see.
   */
  async find(accountId: string, taskId: string): Promise<TaskEntity> {
    const { manager } = this.transactions;
    const statement = this.statement(manager);
    const [row] = await this.transactions.lookUp<Record<string, unknown>>(statement, [taskId, accountId]);
    return this.taskOf(manager, row);
  }

  /**
   * As `find`, with `extra` in the same row; read outside any transaction, within the time limit of a search.
   * @throws ApiError as `find`; ReadBudgetError when the statement exceeds the time limit.
   */
  async findWith<Extra extends object>(
    accountId: string,
    taskId: string,
    extra: ReadWithTask,
  ): Promise<{ task: TaskEntity; extra: Extra }> {
    const { manager } = this.transactions;
    const { name, text } = this.statement(manager, extra);
    const [row] = await this.searches.queryParsed<Record<string, unknown>>(name, text, [taskId, accountId]);
    return { task: this.taskOf(manager, row), extra: row as Extra };
  }

  /** Statement for the task $1, if the account $2 may see it. */
  private statement(manager: EntityManager, extra?: ReadWithTask): PreparedStatement {
    this.columns ??= columnsSql(manager, TaskEntity, 'task');
    return taskSeen(this.columns, extra);
  }

  private taskOf(manager: EntityManager, row: Record<string, unknown> | undefined): TaskEntity {
    if (!row) throw noSuchTask();
    return asOf(entityOf(manager, TaskEntity, row), this.clock.nowMs());
  }
}

/** The answer for a task that does not exist, or that the account may not see. */
export function noSuchTask(): ApiError {
  return new ApiError('not_found', 'There is no such task.');
}
