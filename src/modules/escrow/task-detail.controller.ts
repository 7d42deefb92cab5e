import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ReadOperation } from '../../platform/operations/operation.decorators.js';
import { CurrentPrincipal, type Principal } from '../../platform/http/principal.js';
import { RequireScope } from '../credentials/scope.js';
import { TaskDetailDto } from './dto/task-detail.dto.js';
import { TaskDetailService } from './task-detail.service.js';

@ApiTags('tasks')
@Controller({ path: 'tasks', version: '1' })
export class TaskDetailController {
  constructor(private readonly tasks: TaskDetailService) {}

  @ReadOperation({
    path: ':task_id',
    response: TaskDetailDto,
    summary: 'One task, what the caller may do now, and what happens if nobody acts',
    description:
      'The status is that of this moment. In the list of tasks a status that time alone has changed may be up to 5 seconds old.',
  })
  @RequireScope('read')
  getTask(@CurrentPrincipal() { accountId }: Principal, @Param('task_id') taskId: string): Promise<TaskDetailDto> {
    return this.tasks.get(accountId, taskId);
  }
}
