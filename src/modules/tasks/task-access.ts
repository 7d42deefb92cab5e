import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import { TaskEntity } from './task.entity.js';
import { asOf } from './task.lifecycle.js';
import { visibleTask } from './task-visibility.js';

/** The way to a task for everything that acts on one. */
@Injectable()
export class TaskAccess {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * The task with the status of this moment.
   * @throws ApiError `not_found` alike for a task that does not exist and one the account may not see.
   */
  async find(accountId: string, taskId: string): Promise<TaskEntity> {
    const task = await this.transactions.manager
      .createQueryBuilder(TaskEntity, 'task')
      .where('task.id = :taskId', { taskId })
      .andWhere(visibleTask('task', ':accountId'), { accountId })
      .getOne();
    if (!task) throw new ApiError('not_found', 'There is no such task.');
    return asOf(task, this.clock.nowMs());
  }
}
