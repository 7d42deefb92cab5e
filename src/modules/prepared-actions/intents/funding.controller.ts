import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { WriteOperation } from '../../../platform/operations/operation.decorators.js';
import { RequireScope } from '../../credentials/scope.js';
import { Intent } from './intent.decorator.js';
import { FundingBody, fundingIn } from '../dto/funding.body.js';
import { PreparedActionDto } from '../dto/prepared-action.dto.js';
import type { ActionIntent } from '../action/prepared-kind.js';
import { PreparedActionsService } from '../prepared-actions.service.js';

/** Preparing the payment of a task. */
@ApiTags('tasks')
@Controller({ version: '1' })
export class FundingController {
  constructor(private readonly actions: PreparedActionsService) {}

  @WriteOperation({
    method: 'POST',
    path: 'tasks/:task_id/funding-intents',
    body: FundingBody,
    bodyIsOptional: true,
    response: PreparedActionDto,
    readsFirst: true,
    summary: 'Prepare the payment for the selected agent by the buyer',
    description:
      'Needs a signed selection whose quote still stands. No body is needed. With a signature one transaction deploys the ' +
      'escrow of the task, where it is missing, and pays. A wallet that sends the payment itself makes up to three calls, ' +
      'in this order: the approval where it is missing, `createTree` where the escrow is missing, `fundTask`. ' +
      "The worker's `work_seconds` count from the payment. What is signed and how the money " +
      'comes depends on `funding_mode`; the amount is always the price of the quote that was selected. An ' +
      'application is held to the cap that its person has set, if any, whatever the way to pay; an API key has none.',
    errors: [
      'not_found',
      'not_task_buyer',
      'funding_cap_exceeded',
      'spend_limit_exceeded',
      'counterparty_not_allowed',
      'state_conflict',
      'quote_expired',
      'window_closed',
      'wallet_mismatch',
    ],
  })
  @RequireScope('buyer')
  prepareTaskFunding(
    @Intent() intent: ActionIntent,
    @Param('task_id') taskId: string,
    @Body() body: FundingBody,
  ): Promise<PreparedActionDto> {
    return this.actions.prepare('fund_task', intent, { taskId, ...fundingIn(body) });
  }
}
