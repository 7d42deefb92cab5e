import type { EntityManager } from 'typeorm';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import { AuditLog } from '../accounts/audit/audit-log.js';
import type { TaskEntity } from './task/task.entity.js';
import { TaskStore } from './task-store.js';

/**
 * Hides tasks in the operator's name, and shows them again. The chain, the money and what the task's parties may do stay as
 * they are: only who is no party sees the task no more, and so can make no offer for it.
 */
export class TaskModeration {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly store: TaskStore,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Hides a task of any status.
   * @param reason for its buyer, in their activity; empty for none.
   * @throws ApiError `not_found`, or `state_conflict` for a task that is hidden already.
   */
  hide(taskId: string, reason: string): Promise<TaskEntity> {
    return this.transactions.run(async (manager) => {
      const task = await this.locked(manager, taskId);
      if (task.hiddenAt !== null) throw new ApiError('state_conflict', 'The task is hidden already.');
      return this.write(manager, Object.assign(task, { hiddenAt: this.clock.now() }), 'task_hidden', reason);
    });
  }

  /**
   * Shows a hidden task again to everybody who would see it otherwise.
   * @throws ApiError `not_found`, or `state_conflict` for a task that is not hidden.
   */
  show(taskId: string, reason: string): Promise<TaskEntity> {
    return this.transactions.run(async (manager) => {
      const task = await this.locked(manager, taskId);
      if (task.hiddenAt === null) throw new ApiError('state_conflict', 'The task is not hidden.');
      return this.write(manager, Object.assign(task, { hiddenAt: null }), 'task_shown', reason);
    });
  }

  private async write(
    manager: EntityManager,
    task: TaskEntity,
    event: 'task_hidden' | 'task_shown',
    reason: string,
  ): Promise<TaskEntity> {
    await this.store.save(manager, task);
    const detail = { by: 'operator', task_id: task.id, reason };
    await this.audit.record({ event, requestId: null, accountId: task.buyerAccountId, detail });
    return task;
  }

  private async locked(manager: EntityManager, taskId: string): Promise<TaskEntity> {
    const task = await this.store.load(manager, taskId, { lock: true });
    if (!task) throw new ApiError('not_found', `There is no task "${taskId}".`);
    return task;
  }
}
