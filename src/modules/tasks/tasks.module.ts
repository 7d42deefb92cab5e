import { Module } from '@nestjs/common';
import { TaskAccess } from './task-access.js';
import { TaskDrafts } from './task-drafts.js';
import { TaskParties } from './task-parties.js';
import { TaskProjection } from './task.projection.js';
import { TaskStore } from './task-store.js';
import { TasksController } from './tasks.controller.js';
import { TasksService } from './tasks.service.js';

@Module({
  controllers: [TasksController],
  providers: [TasksService, TaskAccess, TaskDrafts, TaskStore, TaskParties, TaskProjection],
  exports: [TaskAccess, TaskDrafts, TaskStore, TaskParties],
})
export class TasksModule {}
