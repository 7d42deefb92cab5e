import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { WriteOperation } from '../../../platform/operations/operation.decorators.js';
import { RequireScope } from '../../credentials/scope.js';
import { Intent } from './intent.decorator.js';
import { PreparedActionDto } from '../dto/prepared-action.dto.js';
import type { ActionIntent } from '../action/prepared-kind.js';
import { PreparedActionsService } from '../prepared-actions.service.js';

/** The operations that prepare a wallet action. A route decides the kind; nothing in a request can change it. */
@ApiTags('nodes')
@Controller({ version: '1' })
export class IntentsController {
  constructor(private readonly actions: PreparedActionsService) {}

  @WriteOperation({
    method: 'POST',
    path: 'tasks/:task_id/nodes/:node_id/abandon-intents',
    response: PreparedActionDto,
    readsFirst: true,
    summary: 'Prepare the abandonment of a node by its worker',
    description:
      'Allowed only while the node is `funded` and nothing of it is promised to subcontracts, by the index and by the ' +
      "chain's latest state; one that was accepted holds its part, too. For subcontracts whose money time has sent back, " +
      "the same transaction first calls `finalize`. Changes nothing until the worker's wallet has signed. No body is " +
      'declared; a JSON object ' +
      'that is sent is bound to `request_digest` and otherwise ignored.',
    errors: ['not_found', 'not_node_worker', 'node_not_funded', 'state_conflict', 'window_closed', 'wallet_mismatch'],
  })
  @RequireScope('worker')
  prepareNodeAbandonment(
    @Intent() intent: ActionIntent,
    @Param('task_id') taskId: string,
    @Param('node_id') nodeId: string,
  ): Promise<PreparedActionDto> {
    return this.actions.prepare('abandon_node', intent, { taskId, nodeId });
  }
}
