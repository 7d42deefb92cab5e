import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { WriteOperation } from '../../../platform/operations/operation.decorators.js';
import { RequireScope } from '../../credentials/scope.js';
import { Intent } from './intent.decorator.js';
import { PreparedActionDto } from '../dto/prepared-action.dto.js';
import { earningsIn, EarningsWithdrawalBody, refundIn, RefundWithdrawalBody } from '../dto/withdrawal.body.js';
import type { ActionIntent } from '../action/prepared-kind.js';
import { PreparedActionsService } from '../prepared-actions.service.js';

/** Preparing withdrawals of earnings and refunds. */
@Controller({ version: '1' })
export class WithdrawalsController {
  constructor(private readonly actions: PreparedActionsService) {}

  @WriteOperation({
    method: 'POST',
    path: 'earnings/withdrawal-intents',
    body: EarningsWithdrawalBody,
    response: PreparedActionDto,
    readsFirst: true,
    summary: "Prepare the withdrawal of a node's earnings by its worker",
    description:
      'For all that the node gives by the chain now. The escrow pays node by node, so an action is for one node, which ' +
      '`node_id` names: without a task the one with most to withdraw of the task with most to withdraw. Where several ' +
      "nodes have earned, prepare one action for each. Signed by the wallet of the node's worker. What `pay_out` of the " +
      'delivery has paid out is no longer in it. Silence that has released a node needs no transaction of its own. Money that time has sent back from nodes below, which lived on ' +
      'that of the node, is included: the call writes that down first.',
    errors: [
      'not_found',
      'not_node_worker',
      'spend_limit_exceeded',
      'counterparty_not_allowed',
      'state_conflict',
      'wallet_mismatch',
    ],
  })
  @ApiTags('earnings')
  @RequireScope('worker')
  prepareEarningsWithdrawal(
    @Intent() intent: ActionIntent,
    @Body() body: EarningsWithdrawalBody,
  ): Promise<PreparedActionDto> {
    return this.actions.prepare('withdraw_earnings', intent, earningsIn(body));
  }

  @WriteOperation({
    method: 'POST',
    path: 'tasks/:task_id/refund-withdrawal-intents',
    body: RefundWithdrawalBody,
    response: PreparedActionDto,
    readsFirst: true,
    summary: 'Prepare the withdrawal of the money of a task that came back',
    description:
      'For the whole refund balance of the buyer in the escrow of the task; a worker who paid for a node under its own ' +
      'may withdraw what came back from that in the same way. Money of a rejection that became final, or of a dispute ' +
      'that nobody ruled on, is included: the call writes that down first. A node that was not delivered in time needs ' +
      'its non-delivery claim before. An account that has paid by several wallets prepares one action for each, which `wallet` ' +
      'names.',
    errors: [
      'not_found',
      'not_task_buyer',
      'spend_limit_exceeded',
      'counterparty_not_allowed',
      'state_conflict',
      'wallet_mismatch',
    ],
  })
  @ApiTags('tasks')
  @RequireScope('buyer')
  prepareRefundWithdrawal(
    @Intent() intent: ActionIntent,
    @Param('task_id') taskId: string,
    @Body() body: RefundWithdrawalBody,
  ): Promise<PreparedActionDto> {
    return this.actions.prepare('withdraw_refund', intent, { taskId, ...refundIn(body) });
  }
}
