import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { WriteOperation } from '../../../platform/operations/operation.decorators.js';
import { RequireScope } from '../../credentials/scope.js';
import { Intent } from './intent.decorator.js';
import { DisputeBody, evidenceIn } from '../dto/dispute.body.js';
import { PreparedActionDto } from '../dto/prepared-action.dto.js';
import type { ActionIntent } from '../action/prepared-kind.js';
import { PreparedActionsService } from '../prepared-actions.service.js';

/** Disputes of work that its hirer rejected, and claims for work that was not delivered in time. */
@ApiTags('nodes')
@Controller({ path: 'tasks/:task_id/nodes/:node_id', version: '1' })
export class NodeWorkController {
  constructor(private readonly actions: PreparedActionsService) {}

  @WriteOperation({
    method: 'POST',
    path: 'dispute-intents',
    body: DisputeBody,
    bodyIsOptional: true,
    response: PreparedActionDto,
    readsFirst: true,
    summary: 'Prepare the contest of a rejection by the worker of the node',
    description:
      'Possible while the node is `rejected`, its window runs and the task names an arbiter. The arbiter has 30 days to ' +
      "divide the money of the node; without a ruling the worker's side has the `floor`, helpers' parts included, and all " +
      'goes back where the floor is zero. No body is needed.',
    errors: ['not_found', 'not_node_worker', 'state_conflict', 'window_closed', 'wallet_mismatch'],
  })
  @RequireScope('worker')
  prepareNodeDispute(
    @Intent() intent: ActionIntent,
    @Param('task_id') taskId: string,
    @Param('node_id') nodeId: string,
    @Body() body: DisputeBody,
  ): Promise<PreparedActionDto> {
    return this.actions.prepare('dispute_node', intent, { taskId, nodeId, ...evidenceIn(body) });
  }

  @WriteOperation({
    method: 'POST',
    path: 'non-delivery-claim-intents',
    response: PreparedActionDto,
    readsFirst: true,
    summary: 'Prepare the return of the money of a node that was not delivered in time',
    description:
      'For whoever may see the node: the money goes back to where it came from, whoever calls. Possible while the node is ' +
      "`funded` and its delivery deadline has passed. Signed by the caller's own wallet. No body is declared; a JSON " +
      'object that is sent is bound to `request_digest` and otherwise ignored.',
    errors: ['not_found', 'node_not_funded', 'window_not_open', 'state_conflict', 'wallet_mismatch'],
  })
  @RequireScope('read')
  prepareNodeNonDeliveryClaim(
    @Intent() intent: ActionIntent,
    @Param('task_id') taskId: string,
    @Param('node_id') nodeId: string,
  ): Promise<PreparedActionDto> {
    return this.actions.prepare('claim_non_delivery', intent, { taskId, nodeId });
  }
}
