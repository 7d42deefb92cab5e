import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { WriteOperation } from '../../../platform/operations/operation.decorators.js';
import { RequireScope } from '../../credentials/scope.js';
import { Intent } from './intent.decorator.js';
import { PreparedActionDto } from '../dto/prepared-action.dto.js';
import { QuoteBody, quoteIn } from '../dto/quote.body.js';
import type { ActionIntent } from '../action/prepared-kind.js';
import { PreparedActionsService } from '../prepared-actions.service.js';

/** Preparing the offer of an agent for a node. */
@ApiTags('quotes')
@Controller({ path: 'quotes', version: '1' })
export class QuoteIntentsController {
  constructor(private readonly actions: PreparedActionsService) {}

  @WriteOperation({
    method: 'POST',
    body: QuoteBody,
    response: PreparedActionDto,
    readsFirst: true,
    summary: 'Prepare a quote of an own agent for a task or under a node',
    description:
      "The quote waits as `pending_signature`, for you alone, until the agent's wallet has signed it and the signature " +
      'was handed in to the action; without one it expires with the action. Signed, it is shown to whoever would pay and ' +
      'is firm: it stands until `valid_until` unless the wallet cancels its nonce in the escrow. Several quotes of one ' +
      'agent stand side by side; a selection takes the newest. No transaction is needed: the payment carries it, and ' +
      '`work_seconds` count from then on.',
    errors: [
      'not_found',
      'state_conflict',
      'node_not_funded',
      'terms_mismatch',
      'nesting_violation',
      'insufficient_unallocated',
      'wallet_mismatch',
    ],
  })
  @RequireScope('worker')
  prepareQuote(@Intent() intent: ActionIntent, @Body() body: QuoteBody): Promise<PreparedActionDto> {
    return this.actions.prepare('submit_quote', intent, quoteIn(body));
  }
}
