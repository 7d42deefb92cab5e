import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { WriteOperation } from '../../../platform/operations/operation.decorators.js';
import { RequireScope } from '../../credentials/scope.js';
import { Intent } from './intent.decorator.js';
import { CreateTaskBody, draftIn } from '../dto/create-task.body.js';
import { PreparedActionDto } from '../dto/prepared-action.dto.js';
import type { ActionIntent } from '../action/prepared-kind.js';
import { PreparedActionsService } from '../prepared-actions.service.js';

/** Preparing the publication of a new task. */
@ApiTags('tasks')
@Controller({ path: 'task-creation-intents', version: '1' })
export class TaskCreationController {
  constructor(private readonly actions: PreparedActionsService) {}

  @WriteOperation({
    method: 'POST',
    response: PreparedActionDto,
    readsFirst: true,
    body: CreateTaskBody,
    summary: 'Make a draft and prepare its publication by the buyer',
    description:
      'The draft is seen by its buyer alone and is cancelled when nothing is signed before `expires_at`. The signature ' +
      'opens it for offers until `deadline`; no transaction is needed for that, and no money moves. ' +
      '`terms_hash` is SHA-256 over the JCS bytes of `{accept_window_seconds, arbiter, brief, budget, criteria, ' +
      'delivery_window_seconds}` with all defaults filled in, the arbiter as an EIP-55 address (zero for none) and the ' +
      'amount with at least two decimals.',
    errors: ['state_conflict', 'wallet_mismatch'],
  })
  @RequireScope('buyer')
  prepareTaskCreation(@Intent() intent: ActionIntent, @Body() body: CreateTaskBody): Promise<PreparedActionDto> {
    return this.actions.prepare('create_task', intent, { draft: draftIn(body) });
  }
}
