import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ReadOperation } from '../../platform/http/operation.decorators.js';
import { CurrentPrincipal, type Principal } from '../../platform/http/principal.js';
import { RequireScope } from '../auth/scope.js';
import { ActionsService } from './actions.service.js';
import { ActionDto } from './dto/action.dto.js';

@ApiTags('actions')
@Controller({ path: 'actions', version: '1' })
export class ActionsController {
  constructor(private readonly actions: ActionsService) {}

  @ReadOperation({
    path: ':action_id',
    response: ActionDto,
    summary: 'A prepared action and what has become of it',
    description:
      'Only for the principal it was prepared for. The status follows from the facts of the chain: `confirmed` when the ' +
      'escrow has executed it, `final` an hour of blocks later, `expired` after `expires_at`, `superseded` when its ' +
      'nonce or the state it needs is gone, else `prepared`.',
    errors: ['not_found'],
  })
  @RequireScope('read')
  getAction(@CurrentPrincipal() { accountId }: Principal, @Param('action_id') actionId: string): Promise<ActionDto> {
    return this.actions.get(accountId, actionId);
  }
}
