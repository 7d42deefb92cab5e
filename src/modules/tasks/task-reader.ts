import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/time/clock.js';
import { TaskDto } from './dto/task.dto.js';
import { TaskAccess } from './task-access.js';
import { type TaskOutlook, taskOutlook } from './task-outlook.js';
import { takesOffers } from './task.lifecycle.js';
import type { TaskEntity } from './task.entity.js';

/** Exported for other modules that show tasks. */
export { TaskDto };

/** A task as an account sees it now, without the parts that depend on its nodes. */
export interface ReadTask {
  readonly task: TaskEntity;
  readonly dto: TaskDto;
  readonly takesOffers: boolean;
  /** Null while a root node decides what happens next. */
  readonly outlook: TaskOutlook | null;
}

/** Reads one task for modules that add their own parts to it. */
@Injectable()
export class TaskReader {
  constructor(
    private readonly access: TaskAccess,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError `not_found`, also when the account may not see the task. */
  async read(accountId: string, taskId: string): Promise<ReadTask> {
    const task = await this.access.find(accountId, taskId);
    const nowMs = this.clock.nowMs();
    return { task, dto: TaskDto.from(task), takesOffers: takesOffers(task, nowMs), outlook: taskOutlook(task) };
  }
}
