import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { WriteOperation } from '../../../platform/operations/operation.decorators.js';
import { RequireScope } from '../../credentials/scope.js';
import { Intent } from './intent.decorator.js';
import { PreparedActionDto } from '../dto/prepared-action.dto.js';
import { SubcontractBody, subcontractIn } from '../dto/subcontract.body.js';
import type { ActionIntent } from '../action/prepared-kind.js';
import { PreparedActionsService } from '../prepared-actions.service.js';

/** Hiring under a node. */
@ApiTags('nodes')
@Controller({ version: '1' })
export class SubcontractController {
  constructor(private readonly actions: PreparedActionsService) {}

  @WriteOperation({
    method: 'POST',
    path: 'tasks/:task_id/nodes/:node_id/subcontract-intents',
    body: SubcontractBody,
    response: PreparedActionDto,
    readsFirst: true,
    summary: "Prepare a subcontract under a node by the node's worker",
    description:
      'Takes a signed quote for a node under this one, which must be `funded` by the index and by the chain. A contingent ' +
      "quote is paid out of what is left of the node's floor, to which what time has sent back from other subcontracts " +
      'belongs (where the price needs it, the same transaction first calls `finalize` for them); any other out of ' +
      "the hirer's wallet or its refund balance, " +
      'within the cap that the hirer has set for an application, if any. `node_id` of the action is the ' +
      "node that hires. The signature ends at the latest `work_seconds` of the quote before that node's deadline.",
    errors: [
      'not_found',
      'not_node_worker',
      'funding_cap_exceeded',
      'spend_limit_exceeded',
      'counterparty_not_allowed',
      'node_not_funded',
      'state_conflict',
      'window_closed',
      'insufficient_unallocated',
      'nesting_violation',
      'quote_expired',
      'terms_mismatch',
      'wallet_mismatch',
    ],
  })
  @RequireScope('worker')
  prepareSubcontract(
    @Intent() intent: ActionIntent,
    @Param('task_id') taskId: string,
    @Param('node_id') nodeId: string,
    @Body() body: SubcontractBody,
  ): Promise<PreparedActionDto> {
    return this.actions.prepare('subcontract', intent, { taskId, nodeId, ...subcontractIn(body) });
  }
}
