import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { columnsSql, entityOf } from '../../platform/database/entity-rows.js';
import { type PreparedStatement, runPrepared, Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import { TaskEntity } from './task.entity.js';
import { asOf } from './task.lifecycle.js';
import { visibleTask } from './task-visibility.js';

/** The way to a task for everything that acts on one. */
@Injectable()
export class TaskAccess {
  private visible: PreparedStatement | undefined;

  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * The task with the status of this moment.
   * @throws ApiError `not_found` alike for a task that does not exist and one the account may not see.
   */
  async find(accountId: string, taskId: string): Promise<TaskEntity> {
    const { manager } = this.transactions;
    const [row] = await runPrepared<Record<string, unknown>>(manager, this.statement(manager), [taskId, accountId]);
    if (!row) throw new ApiError('not_found', 'There is no such task.');
    return asOf(entityOf(manager, TaskEntity, row), this.clock.nowMs());
  }

  /** The task $1, if the account $2 may see it. */
  private statement(manager: EntityManager): PreparedStatement {
    this.visible ??= {
      name: 'task_visible',
      text: `SELECT ${columnsSql(manager, TaskEntity, 'task')} FROM tasks task
        WHERE task.id = $1 AND ${visibleTask('task', '$2')}`,
    };
    return this.visible;
  }
}
