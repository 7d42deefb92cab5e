import type { EntityManager } from 'typeorm';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import { AuditLog } from '../accounts/audit/audit-log.js';
import type { TaskEntity } from './task.entity.js';
import { TaskStore } from './task-store.js';

/**
 * Hides tasks for the operator, and shows them again. Nothing changes on the chain or for the task's parties. Everybody
 * else no longer sees the task, and so cannot make an offer for it.
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
   * @param reason shown to the buyer in the account's activity; may be empty.
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
   * Makes a hidden task visible again under the normal rules.
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
