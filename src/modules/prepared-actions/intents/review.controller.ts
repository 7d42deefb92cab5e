import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ErrorCode } from '../../../platform/http/error-codes.js';
import { WriteOperation } from '../../../platform/operations/operation.decorators.js';
import { RequireScope } from '../../credentials/scope.js';
import { Intent } from './intent.decorator.js';
import { PreparedActionDto } from '../dto/prepared-action.dto.js';
import { RejectionBody, rejectionIn, TaskRejectionBody } from '../dto/rejection.body.js';
import { ResolutionBody, TaskResolutionBody } from '../dto/resolution.body.js';
import { rootIn } from '../action/stored-request.js';
import type { ActionIntent } from '../action/prepared-kind.js';
import { PreparedActionsService } from '../prepared-actions.service.js';

const REFUSALS: readonly ErrorCode[] = ['not_found', 'state_conflict', 'window_closed', 'wallet_mismatch'];
const ACCEPTING =
  'Possible while the work is `delivered` and its accept window runs, and while a rejection or dispute of it can still ' +
  'be given up. The signature binds the artifact that was delivered: another one delivered meanwhile is a 409.';
const REJECTING =
  'Possible while the work is `delivered` and its accept window runs. The worker may then deliver again until the ' +
  'delivery deadline, if a revision is left, or contest before the arbiter of the task; without either the money ' +
  'goes back. No body is needed.';

/** How the hirer accepts or rejects delivered work: the buyer for the task, a worker for the nodes below its own. */
@Controller({ path: 'tasks/:task_id', version: '1' })
export class ReviewController {
  constructor(private readonly actions: PreparedActionsService) {}

  @WriteOperation({
    method: 'POST',
    path: 'resolution',
    body: TaskResolutionBody,
    response: PreparedActionDto,
    readsFirst: true,
    summary: 'Prepare the acceptance of the delivered task by its buyer',
    description: `For one root node of the task; without \`node_id\` the newest. ${ACCEPTING}`,
    errors: [...REFUSALS, 'not_task_buyer'],
  })
  @ApiTags('tasks')
  @RequireScope('buyer')
  prepareTaskResolution(
    @Intent() intent: ActionIntent,
    @Param('task_id') taskId: string,
    @Body() body: TaskResolutionBody,
  ): Promise<PreparedActionDto> {
    return this.actions.prepare('resolve_task', intent, { taskId, nodeId: null, ...rootIn(body) });
  }

  @WriteOperation({
    method: 'POST',
    path: 'nodes/:node_id/resolution',
    body: ResolutionBody,
    response: PreparedActionDto,
    readsFirst: true,
    summary: 'Prepare the acceptance of a child node by its hirer',
    description: `The hirer is the worker of the node above. ${ACCEPTING}`,
    errors: [...REFUSALS, 'not_node_hirer'],
  })
  @ApiTags('nodes')
  @RequireScope('worker')
  prepareNodeResolution(
    @Intent() intent: ActionIntent,
    @Param('task_id') taskId: string,
    @Param('node_id') nodeId: string,
    @Body() _body: ResolutionBody,
  ): Promise<PreparedActionDto> {
    return this.actions.prepare('resolve_task', intent, { taskId, nodeId });
  }

  @WriteOperation({
    method: 'POST',
    path: 'reject-intents',
    body: TaskRejectionBody,
    bodyIsOptional: true,
    response: PreparedActionDto,
    readsFirst: true,
    summary: 'Prepare the rejection of the delivered task by its buyer',
    description: `For one root node of the task; without \`node_id\` the newest. ${REJECTING}`,
    errors: [...REFUSALS, 'not_task_buyer'],
  })
  @ApiTags('tasks')
  @RequireScope('buyer')
  prepareTaskRejection(
    @Intent() intent: ActionIntent,
    @Param('task_id') taskId: string,
    @Body() body: TaskRejectionBody,
  ): Promise<PreparedActionDto> {
    return this.actions.prepare('reject_task', intent, { taskId, nodeId: null, ...rootIn(body), ...rejectionIn(body) });
  }

  @WriteOperation({
    method: 'POST',
    path: 'nodes/:node_id/reject-intents',
    body: RejectionBody,
    bodyIsOptional: true,
    response: PreparedActionDto,
    readsFirst: true,
    summary: 'Prepare the rejection of a child node by its hirer',
    description: `The hirer is the worker of the node above. ${REJECTING}`,
    errors: [...REFUSALS, 'not_node_hirer'],
  })
  @ApiTags('nodes')
  @RequireScope('worker')
  prepareNodeRejection(
    @Intent() intent: ActionIntent,
    @Param('task_id') taskId: string,
    @Param('node_id') nodeId: string,
    @Body() body: RejectionBody,
  ): Promise<PreparedActionDto> {
    return this.actions.prepare('reject_task', intent, { taskId, nodeId, ...rejectionIn(body) });
  }
}
