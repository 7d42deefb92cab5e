import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { ActionHistory } from './action-history.js';
import { ActionDto } from './dto/action.dto.js';
import { PreparedActionEntity } from './prepared-action.entity.js';
import { SigningLinks } from './signing-links.js';

/** Prepared actions as their principals read them back. */
@Injectable()
export class ActionsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly history: ActionHistory,
    private readonly links: SigningLinks,
  ) {}

  /** @throws ApiError `not_found` alike for an action that does not exist and one of another principal. */
  async get(accountId: string, actionId: string): Promise<ActionDto> {
    const action = await this.transactions.manager.findOneBy(PreparedActionEntity, { id: actionId, accountId });
    if (!action) throw new ApiError('not_found', 'There is no such action.');
    return ActionDto.of(action, this.links.reopen(action), await this.history.statusOf(action));
  }
}
