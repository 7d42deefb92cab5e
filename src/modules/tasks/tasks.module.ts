import { Module } from '@nestjs/common';
import { InvitationsController } from './invitations/invitations.controller.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { TaskAccess } from './visibility/task-access.js';
import { TaskDrafts } from './task-drafts.js';
import { TaskParties } from './visibility/task-parties.js';
import { TaskProjection } from './task.projection.js';
import { TaskReader } from './task-reader.js';
import { TaskStatusSweeper } from './task-status.sweeper.js';
import { TaskStore } from './task-store.js';
import { TasksController } from './tasks.controller.js';
import { TasksService } from './tasks.service.js';

@Module({
  controllers: [TasksController, InvitationsController],
  providers: [
    TasksService,
    InvitationsService,
    TaskAccess,
    TaskReader,
    TaskDrafts,
    TaskStore,
    TaskParties,
    TaskProjection,
    TaskStatusSweeper,
  ],
  exports: [InvitationsService, TaskAccess, TaskReader, TaskDrafts, TaskStore, TaskParties],
})
export class TasksModule {}
