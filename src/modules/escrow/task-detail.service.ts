import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database/transactions.js';
import { Clock } from '../../platform/time/clock.js';
import { type ReadTask, TaskReader } from '../tasks/task-reader.js';
import { TaskDetailDto } from './dto/task-detail.dto.js';
import { allowedActions, nodeOutlook } from './node/node-outlook.js';
import { NodeAuthority, type StandingNode } from './node/node-authority.js';
import { IS_OWED_BY_TIME, MAY_QUOTE } from './task-detail.sql.js';

/** Reads one task with the caller's possible actions and what happens if nobody acts. It uses both tasks and nodes. */
@Injectable()
export class TaskDetailService {
  constructor(
    private readonly tasks: TaskReader,
    private readonly nodes: NodeAuthority,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Returns one task. @throws ApiError `not_found`, also for a task the caller may not see. */
  async get(accountId: string, taskId: string): Promise<TaskDetailDto> {
    const [read, { node }] = await Promise.all([
      this.tasks.read(accountId, taskId),
      this.nodes.decidingRoot(accountId, taskId),
    ]);
    const [ofTask, ofTime] = await Promise.all([
      this.taskActions(accountId, read),
      this.timeActions(accountId, taskId),
    ]);
    const ofNode = node === null ? [] : this.nodeActions(accountId, node);
    return TaskDetailDto.fromTask(read.dto, {
      allowedActions: [...new Set([...ofTask, ...ofTime, ...ofNode])],
      ...this.outlookOf(read, node),
    });
  }

  private async taskActions(accountId: string, { task, takesOffers }: ReadTask): Promise<string[]> {
    if (task.buyerAccountId !== accountId) {
      if (!takesOffers) return [];
      const values = [accountId, task.buyerWallet, task.arbiterWallet];
      const agents = await this.transactions.lookUp(MAY_QUOTE, values);
      return agents.length === 0 ? [] : ['submit_quote'];
    }
    return [
      ...(takesOffers ? ['select_agent'] : []),
      ...(task.status === 'selected' ? ['fund_task'] : []),
      ...(task.refundable > 0n ? ['withdraw_refund'] : []),
    ];
  }

  private async timeActions(accountId: string, taskId: string): Promise<string[]> {
    const values = [taskId, accountId, this.clock.now()];
    const owed = await this.transactions.lookUp(IS_OWED_BY_TIME, values);
    return owed.length === 0 ? [] : ['withdraw_refund'];
  }

  private nodeActions(accountId: string, { facts, workerAccountId, hirerAccountId }: StandingNode): string[] {
    const caller = { isWorker: workerAccountId === accountId, isHirer: hirerAccountId === accountId };
    return allowedActions(facts, caller, this.clock.nowSeconds());
  }

  private outlookOf({ outlook }: ReadTask, node: StandingNode | null): { dueAt: Date | null; next: string | null } {
    if (outlook !== null) return outlook;
    if (node === null) return { dueAt: null, next: null };
    const { dueAt, next } = nodeOutlook(node.facts, this.clock.nowSeconds());
    return { dueAt: dueAt === null ? null : new Date(dueAt * 1000), next };
  }
}
