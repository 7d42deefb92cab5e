import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/time/clock.js';
import { TaskDto } from './dto/task.dto.js';
import { TaskAccess } from './visibility/task-access.js';
import { type TaskOutlook, taskOutlook } from './task/task-outlook.js';
import { takesOffers } from './task/task.lifecycle.js';
import type { TaskEntity } from './task/task.entity.js';

/** What the reader answers with, for what is shown of a task in other modules. */
export { TaskDto };

/** A task as an account sees it now, without what depends on its nodes. */
export interface ReadTask {
  readonly task: TaskEntity;
  readonly dto: TaskDto;
  readonly takesOffers: boolean;
  /** Null while a root node decides what happens next. */
  readonly outlook: TaskOutlook | null;
}

/** Reads one task for what adds to it. */
@Injectable()
export class TaskReader {
  constructor(
    private readonly access: TaskAccess,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError `not_found`, also for a task the account may not see. */
  async read(accountId: string, taskId: string): Promise<ReadTask> {
    const task = await this.access.find(accountId, taskId);
    const nowMs = this.clock.nowMs();
    return { task, dto: TaskDto.from(task), takesOffers: takesOffers(task, nowMs), outlook: taskOutlook(task) };
  }
}
