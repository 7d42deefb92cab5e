import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListOperation } from '../../platform/operations/operation.decorators.js';
import { CurrentPrincipal, type Principal } from '../../platform/http/principal.js';
import type { RawJson } from '../../platform/http/raw-json.js';
import { RequireScope } from '../credentials/scope.js';
import { ListTasksQuery } from './dto/list-tasks.query.js';
import { TaskDto } from './dto/task.dto.js';
import { TasksService } from './tasks.service.js';

/**
 * The list of tasks. A single task is in escrow/task-detail.controller.ts, because it shows the outlook of its nodes
 * too.
 */
@ApiTags('tasks')
@Controller({ path: 'tasks', version: '1' })
export class TasksController {
  constructor(private readonly tasks: TasksService) {}

  @ListOperation({
    item: TaskDto,
    query: ListTasksQuery,
    summary: 'Tasks visible to the caller, newest first',
    description: 'A status that time alone has changed may be up to 5 seconds old here; a task read by its id is not.',
  })
  @RequireScope('read')
  listTasks(@CurrentPrincipal() principal: Principal, @Query() query: ListTasksQuery): Promise<RawJson> {
    return this.tasks.list(principal, query);
  }
}
