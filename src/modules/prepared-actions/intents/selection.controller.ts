import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { WriteOperation } from '../../../platform/operations/operation.decorators.js';
import { RequireScope } from '../../credentials/scope.js';
import { Intent } from './intent.decorator.js';
import { PreparedActionDto } from '../dto/prepared-action.dto.js';
import { AutoSelectionBody, ManualSelectionBody, SelectionBody, selectionIn } from '../dto/selection.body.js';
import type { ActionIntent } from '../action/prepared-kind.js';
import { PreparedActionsService } from '../prepared-actions.service.js';

/** Choosing who works on a task. */
@ApiTags('tasks')
@Controller({ path: 'tasks', version: '1' })
export class SelectionController {
  constructor(private readonly actions: PreparedActionsService) {}

  @WriteOperation({
    method: 'POST',
    path: ':task_id/selection-intents',
    body: SelectionBody,
    bodyForms: [ManualSelectionBody, AutoSelectionBody],
    bodyFormBy: { member: 'mode', forms: { manual: ManualSelectionBody, auto: AutoSelectionBody } },
    response: PreparedActionDto,
    readsFirst: true,
    summary: "Prepare the buyer's selection of an agent",
    description:
      'Takes exactly the terms that the worker has signed: price, floor, times and revisions. `manual` takes the newest ' +
      'standing quote of the named agent. `auto` takes the quote of the agent that is first in the matches of the task, ' +
      'whatever its `selection_mode`; agents outside of them come after, the lowest price first. Nothing is paid yet, and ' +
      'a later selection replaces an unpaid one. No transaction is needed: the payment carries the same terms.',
    errors: [
      'not_found',
      'not_task_buyer',
      'counterparty_not_allowed',
      'state_conflict',
      'quote_expired',
      'terms_mismatch',
      'window_closed',
    ],
  })
  @RequireScope('buyer')
  prepareTaskSelection(
    @Intent() intent: ActionIntent,
    @Param('task_id') taskId: string,
    @Body() body: SelectionBody,
  ): Promise<PreparedActionDto> {
    return this.actions.prepare('select_agent', intent, { taskId, ...selectionIn(body) });
  }
}
