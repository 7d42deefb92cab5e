import { Body, Controller, Param, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { ReadOperation, WriteOperation } from '../../../platform/operations/operation.decorators.js';
import { CurrentPrincipal, type Principal } from '../../../platform/http/principal.js';
import { RequireScope, RequireScopeOfAction } from '../../credentials/scope.js';
import { ActionDeclines } from './action-declines.js';
import { submissionIn } from './action-submission.js';
import { ActionsService } from './actions.service.js';
import { ActionDto } from '../dto/action.dto.js';
import {
  ActionSubmissionBody,
  SignatureSubmissionBody,
  TransactionSubmissionBody,
} from '../dto/action-submission.body.js';
import { SubmissionsService } from './submissions.service.js';

@ApiTags('actions')
@Controller({ path: 'actions', version: '1' })
export class ActionsController {
  constructor(
    private readonly actions: ActionsService,
    private readonly submissions: SubmissionsService,
    private readonly declines: ActionDeclines,
  ) {}

  @ReadOperation({
    path: ':action_id',
    response: ActionDto,
    holdsLink: 'lasting',
    summary: 'A prepared action and what has become of it',
    description:
      'Only for the principal it was prepared for. `signing_url`, `match_code`, `transaction` and the ready calls of ' +
      '`payload` are there only for a credential with the scope that prepared the action. The status follows from the ' +
      'facts of the chain: `confirmed` when the escrow has executed it, or, for a signed `create_task` or `select_agent`, ' +
      'when the payment that it was signed for is there, `final` an hour of blocks later, `superseded` when its nonce or the state it needs is ' +
      'gone; for a transaction that was handed in `submitted`, `failed`, or, for two minutes at most, `unknown` while the ' +
      'chain does not know it, which ends nothing and keeps nobody from anything; `signed` when only its signature was; ' +
      '`declined` when somebody said no to it; `expired` when its time is over; `opened` once its page was, else ' +
      '`prepared`.',
    errors: ['not_found'],
  })
  @RequireScope('read')
  getAction(@CurrentPrincipal() principal: Principal, @Param('action_id') actionId: string): Promise<ActionDto> {
    return this.actions.get(principal, actionId);
  }

  @WriteOperation({
    method: 'POST',
    path: ':action_id/submissions',
    body: ActionSubmissionBody,
    bodyForms: [SignatureSubmissionBody, TransactionSubmissionBody],
    response: ActionDto,
    summary: 'Hand in what a wallet has made of an action: its signature, or the transaction it has sent',
    description:
      'Needs the scope that prepared the action. A signature is verified against `payload` and `wallet_address` and kept; ' +
      'the answer holds the call that takes it to the chain, which the service never sends. The signatures of ' +
      '`create_task`, `submit_quote` and `select_agent` take effect at once and have no transaction: the payment carries ' +
      'the offer, and repeats what the others say.',
    errors: ['not_found', 'insufficient_scope', 'state_conflict', 'window_closed', 'wallet_mismatch', 'quote_expired'],
  })
  @RequireScopeOfAction()
  submitActionSignature(
    @CurrentPrincipal() principal: Principal,
    @Param('action_id') actionId: string,
    @Body() body: ActionSubmissionBody,
  ): Promise<ActionDto> {
    return this.submissions.submit(principal, actionId, submissionIn(body));
  }

  @WriteOperation({
    method: 'POST',
    path: ':action_id/declines',
    response: ActionDto,
    summary: 'Decline an action that waits for its signature: from then on none is accepted',
    description:
      'Needs the scope that prepared the action, whose link declines it as well. Declining again is no error. An action ' +
      'that was signed or sent is refused: only the wallet can end it then, with `invalidateNonces` of the escrow.',
    errors: ['not_found', 'insufficient_scope', 'state_conflict'],
  })
  @RequireScopeOfAction()
  declineAction(
    @CurrentPrincipal() principal: Principal,
    @Param('action_id') actionId: string,
    @Req() { context }: Request,
  ): Promise<ActionDto> {
    return this.declines.declineBy(principal, actionId, context.requestId);
  }
}
