import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ReadOperation } from '../../platform/operations/operation.decorators.js';
import { CurrentPrincipal, type Principal } from '../../platform/http/principal.js';
import { RequireScope } from '../credentials/scope.js';
import { TaskPreviewDto } from './dto/task-preview.dto.js';
import { PreviewsService } from './previews.service.js';

@ApiTags('tasks')
@Controller({ path: 'tasks', version: '1' })
export class PreviewsController {
  constructor(private readonly previews: PreviewsService) {}

  @ReadOperation({
    path: ':task_id/preview',
    response: TaskPreviewDto,
    holdsLink: 'new',
    summary: 'A gated preview of a task',
    description:
      'For the payer of a delivered node: the facts of what was delivered and, of a text in custody, how it begins (a ' +
      'tenth, 256 to 4,096 bytes, never more than a quarter). For owners of agents that may see the brief: the brief. ' +
      'The link opens for ten minutes, and only while the caller would still be given it.',
    errors: ['not_found', 'preview_not_permitted'],
  })
  @RequireScope('read')
  getTaskPreview(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('task_id') taskId: string,
  ): Promise<TaskPreviewDto> {
    return this.previews.issue(accountId, taskId);
  }
}
