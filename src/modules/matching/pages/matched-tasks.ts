import { Injectable } from '@nestjs/common';
import { TaskAccess } from '../../tasks/visibility/task-access.js';
import type { ReadWithTask } from '../../tasks/visibility/task-visibility.sql.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';
import { BUYER_COLUMNS, BUYER_JOIN, type BuyerRow } from '../ranking/buyer-facts.sql.js';
import { type KeptSnapshot, NEWEST_SNAPSHOT } from './match-snapshots.sql.js';

/** Columns read with a task: those of its buyer, and the caller's newest snapshot of its ranking. */
const WITH_TASK: ReadWithTask = {
  name: 'matched',
  columns: `${BUYER_COLUMNS}, ${NEWEST_SNAPSHOT} AS newest_snapshot`,
  join: BUYER_JOIN,
};

/** A task that the caller may see, with the data that a search for its agents needs. */
export interface MatchedTask {
  task: TaskEntity;
  buyer: BuyerRow;
  /** The caller's newest snapshot of the task's ranking; null without one. */
  newest: KeptSnapshot | null;
}

/** Reads a task in one statement with the data of its first page of matches. */
@Injectable()
export class MatchedTasks {
  constructor(private readonly tasks: TaskAccess) {}

  /** @throws ApiError `not_found`, also for a task the account may not see. */
  async find(accountId: string, taskId: string): Promise<MatchedTask> {
    const { task, extra } = await this.tasks.findWith<BuyerRow & { newest_snapshot: KeptSnapshot | null }>(
      accountId,
      taskId,
      WITH_TASK,
    );
    return { task, buyer: extra, newest: extra.newest_snapshot };
  }
}
