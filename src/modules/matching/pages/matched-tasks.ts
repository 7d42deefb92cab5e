import { Injectable } from '@nestjs/common';
import { type ReadWithTask, TaskAccess } from '../../tasks/visibility/task-access.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';
import { BUYER_COLUMNS, BUYER_JOIN, type BuyerRow } from '../ranking/buyer-facts.sql.js';
import { type KeptSnapshot, NEWEST_SNAPSHOT } from './match-snapshots.sql.js';

/** What is read beside a task, and the newest ranking of it that is kept for the caller. */
const WITH_TASK: ReadWithTask = {
  name: 'matched',
  columns: `${BUYER_COLUMNS}, ${NEWEST_SNAPSHOT} AS newest_snapshot`,
  join: BUYER_JOIN,
};

/** A task that the caller sees, with what its agents are looked for by. */
export interface MatchedTask {
  task: TaskEntity;
  buyer: BuyerRow;
  /** The newest ranking of the task that is kept for the caller. */
  newest: KeptSnapshot | null;
}

/** Reads a task together with all that its first page of matches needs to know. */
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
