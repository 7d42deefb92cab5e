import type { DataSource } from 'typeorm';
import { AuditLog } from '../../modules/accounts/audit/audit-log.js';
import type { TaskEntity } from '../../modules/tasks/task/task.entity.js';
import { TaskModeration } from '../../modules/tasks/task-moderation.js';
import { TaskStore } from '../../modules/tasks/task-store.js';
import { Transactions } from '../../platform/database/transactions.js';
import { Clock } from '../../platform/time/clock.js';
import type { ToolResult } from '../operator-tool.js';
import { terminalLine } from '../terminal-line.js';
import type { TasksCommand } from './tasks-arguments.js';

/** Runs commands with the service's own rules; every read of a running process sees the change, for none is remembered. */
export class TasksCommands {
  private readonly moderation: TaskModeration;

  constructor(dataSource: DataSource) {
    const transactions = new Transactions(dataSource);
    const clock = new Clock();
    const audit = new AuditLog(transactions, clock);
    this.moderation = new TaskModeration(transactions, clock, new TaskStore(clock), audit);
  }

  /** @throws ApiError with a sentence for the person at the terminal. */
  async run({ name, taskId, reason }: TasksCommand): Promise<ToolResult> {
    const task = await this.moderation[name](taskId, reason);
    return { json: wire(task), lines: [lineOf(task)] };
  }
}

function wire({ id, buyerAccountId, title, status, hiddenAt }: TaskEntity) {
  return { task_id: id, account_id: buyerAccountId, title, status, hidden_at: hiddenAt?.toISOString() ?? null };
}

function lineOf({ id, buyerAccountId, title, status, hiddenAt }: TaskEntity): string {
  const sight = hiddenAt === null ? 'shown ' : 'hidden';
  return terminalLine([id, sight, status, buyerAccountId, title ?? 'no title']);
}
