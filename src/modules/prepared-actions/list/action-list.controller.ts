import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal } from '../../../platform/http/principal.js';
import { ListOperation } from '../../../platform/operations/operation.decorators.js';
import type { Page } from '../../../platform/operations/page.dto.js';
import { RequireScope } from '../../credentials/scope.js';
import { ListActionsQuery } from '../dto/list-actions.query.js';
import { ListedActionDto } from '../dto/listed-action.dto.js';
import { ActionListService, LOOKED_AT } from './action-list.service.js';
import { ASKED_AT_MOST } from './listed-statuses.js';

@ApiTags('actions')
@Controller({ path: 'actions', version: '1' })
export class ActionListController {
  constructor(private readonly actions: ActionListService) {}

  @ListOperation({
    item: ListedActionDto,
    query: ListActionsQuery,
    holdsLink: true,
    summary: "The caller's own prepared actions, newest first",
    description:
      'Each with what has become of it, as `getAction` says it; what is signed, the match code and the ready calls are ' +
      'there alone. `signing_url` is there only for a credential with the scope that prepared the action. With `status` a ' +
      `page is made of the next ${LOOKED_AT} actions, so it may have fewer records than asked for, or none, and yet a ` +
      `\`next_page\`. Of transactions that no indexed block has, the chain is asked about the newest ${ASKED_AT_MOST} of a page; ` +
      'the actions of others are `unknown`.',
  })
  @RequireScope('read')
  listActions(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListActionsQuery,
  ): Promise<Page<ListedActionDto>> {
    return this.actions.list(principal, query);
  }
}
