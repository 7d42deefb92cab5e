import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ErrorCode } from '../../platform/http/error-codes.js';
import { WriteOperation } from '../../platform/http/operation.decorators.js';
import { CurrentPrincipal, type Principal, RequestDigest } from '../../platform/http/principal.js';
import type { Hex } from '#libs/kernel';
import { RequireScope } from '../auth/scope.js';
import { PreparedActionDto } from './dto/prepared-action.dto.js';
import { RejectionBody } from './dto/rejection.body.js';
import { ResolutionBody } from './dto/resolution.body.js';
import type { ReviewInput } from './intent-inputs.js';
import { PreparedActionsService } from './prepared-actions.service.js';

const REFUSALS: readonly ErrorCode[] = ['not_found', 'state_conflict', 'window_closed', 'wallet_mismatch'];
const ACCEPTING =
  'Possible while the work is `delivered` and its accept window runs, and while a rejection or dispute of it can still ' +
  'be given up. The signature binds the artifact that was delivered: another one delivered meanwhile is a 409.';
const REJECTING =
  'Possible while the work is `delivered` and its accept window runs. The worker may then deliver again until the ' +
  'delivery deadline, or contest before the arbiter of the task; without either the money goes back. No body is needed.';

/** What the hirer of a node makes of the delivered work: the buyer for the task, a worker for the nodes below its own. */
@ApiTags('actions')
@Controller({ path: 'tasks/:task_id', version: '1' })
export class ReviewController {
  constructor(private readonly actions: PreparedActionsService) {}

  @WriteOperation({
    method: 'POST',
    path: 'resolution',
    body: ResolutionBody,
    response: PreparedActionDto,
    summary: 'Prepare the acceptance of the delivered task by its buyer',
    description: `For the newest root node of the task. ${ACCEPTING}`,
    errors: [...REFUSALS, 'not_task_buyer'],
  })
  @RequireScope('buyer')
  prepareTaskResolution(
    @CurrentPrincipal() principal: Principal,
    @Param('task_id') taskId: string,
    @Body() _body: ResolutionBody,
    @RequestDigest() requestDigest: Hex,
  ): Promise<PreparedActionDto> {
    return this.accept(principal, requestDigest, { taskId, nodeId: null });
  }

  @WriteOperation({
    method: 'POST',
    path: 'nodes/:node_id/resolution',
    body: ResolutionBody,
    response: PreparedActionDto,
    summary: 'Prepare the acceptance of a child node by its hirer',
    description: `The hirer is the worker of the node above. ${ACCEPTING}`,
    errors: [...REFUSALS, 'not_node_hirer'],
  })
  @RequireScope('worker')
  prepareNodeResolution(
    @CurrentPrincipal() principal: Principal,
    @Param('task_id') taskId: string,
    @Param('node_id') nodeId: string,
    @Body() _body: ResolutionBody,
    @RequestDigest() requestDigest: Hex,
  ): Promise<PreparedActionDto> {
    return this.accept(principal, requestDigest, { taskId, nodeId });
  }

  @WriteOperation({
    method: 'POST',
    path: 'reject-intents',
    body: RejectionBody,
    bodyIsOptional: true,
    response: PreparedActionDto,
    summary: 'Prepare the rejection of the delivered task by its buyer',
    description: `For the newest root node of the task. ${REJECTING}`,
    errors: [...REFUSALS, 'not_task_buyer'],
  })
  @RequireScope('buyer')
  prepareTaskRejection(
    @CurrentPrincipal() principal: Principal,
    @Param('task_id') taskId: string,
    @Body() body: RejectionBody,
    @RequestDigest() requestDigest: Hex,
  ): Promise<PreparedActionDto> {
    return this.reject(principal, requestDigest, { taskId, nodeId: null }, body);
  }

  @WriteOperation({
    method: 'POST',
    path: 'nodes/:node_id/reject-intents',
    body: RejectionBody,
    bodyIsOptional: true,
    response: PreparedActionDto,
    summary: 'Prepare the rejection of a child node by its hirer',
    description: `The hirer is the worker of the node above. ${REJECTING}`,
    errors: [...REFUSALS, 'not_node_hirer'],
  })
  @RequireScope('worker')
  prepareNodeRejection(
    @CurrentPrincipal() principal: Principal,
    @Param('task_id') taskId: string,
    @Param('node_id') nodeId: string,
    @Body() body: RejectionBody,
    @RequestDigest() requestDigest: Hex,
  ): Promise<PreparedActionDto> {
    return this.reject(principal, requestDigest, { taskId, nodeId }, body);
  }

  private accept(principal: Principal, requestDigest: Hex, input: ReviewInput): Promise<PreparedActionDto> {
    return this.actions.prepare('resolve_task', { ...principal, requestDigest }, input);
  }

  private reject(
    principal: Principal,
    requestDigest: Hex,
    input: ReviewInput,
    { reason }: RejectionBody,
  ): Promise<PreparedActionDto> {
    const intent = { ...principal, requestDigest };
    return this.actions.prepare('reject_task', intent, reason === undefined ? input : { ...input, reason });
  }
}
