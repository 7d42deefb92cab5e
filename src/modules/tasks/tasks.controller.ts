import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListOperation, ReadOperation } from '../../platform/http/operation.decorators.js';
import { CurrentPrincipal, type Principal } from '../../platform/http/principal.js';
import type { RawJson } from '../../platform/http/raw-json.js';
import { RequireScope } from '../auth/scope.js';
import { ListTasksQuery } from './dto/list-tasks.query.js';
import { TaskDto } from './dto/task.dto.js';
import { TasksService } from './tasks.service.js';

@ApiTags('tasks')
@Controller({ path: 'tasks', version: '1' })
export class TasksController {
  constructor(private readonly tasks: TasksService) {}

  @ListOperation({ item: TaskDto, query: ListTasksQuery, summary: 'Tasks visible to the caller, newest first' })
  @RequireScope('read')
  listTasks(@CurrentPrincipal() principal: Principal, @Query() query: ListTasksQuery): Promise<RawJson> {
    return this.tasks.list(principal, query);
  }

  @ReadOperation({ path: ':task_id', response: TaskDto, summary: 'One task' })
  @RequireScope('read')
  getTask(@CurrentPrincipal() principal: Principal, @Param('task_id') taskId: string): Promise<TaskDto> {
    return this.tasks.get(principal, taskId);
  }
}
