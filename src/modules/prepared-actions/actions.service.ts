import { Injectable } from '@nestjs/common';
import { ChainConfig } from '../../platform/chain/chain-config.js';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { ActionHistory } from './action-history.js';
import { isPreparableKind } from './action-kind.js';
import type { ActionStatus } from './action-status.js';
import { ActionDto, type ReadyTransaction } from './dto/action.dto.js';
import { KindRegistry } from './kind-registry.js';
import { PreparedActionEntity } from './prepared-action.entity.js';
import { SigningLinks } from './signing-links.js';

/** Statuses in which the signature that was handed in can still be taken to the chain. */
const SENDABLE: readonly ActionStatus[] = ['signed', 'submitted', 'unknown', 'failed'];

/** Prepared actions as their principals read them back. */
@Injectable()
export class ActionsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly history: ActionHistory,
    private readonly kinds: KindRegistry,
    private readonly links: SigningLinks,
    private readonly chain: ChainConfig,
  ) {}

  /** @throws ApiError `not_found` alike for an action that does not exist and one of another principal. */
  async get(accountId: string, actionId: string): Promise<ActionDto> {
    const action = await this.find(accountId, actionId);
    const standing = await this.history.statusOf(action);
    const transaction = SENDABLE.includes(standing.status) ? await this.readyTransaction(action) : null;
    return ActionDto.of(action, this.links.reopen(action), { ...standing, transaction });
  }

  /** @throws ApiError `not_found` alike for an action that does not exist and one of another principal. */
  async find(accountId: string, actionId: string): Promise<PreparedActionEntity> {
    const action = await this.transactions.manager.findOneBy(PreparedActionEntity, { id: actionId, accountId });
    if (!action) throw new ApiError('not_found', 'There is no such action.');
    return action;
  }

  /** The call with the signature inside; null when none was handed in, and when what the call needs is gone. */
  private async readyTransaction(action: PreparedActionEntity): Promise<ReadyTransaction | null> {
    if (action.signature === null || !isPreparableKind(action.kind)) return null;
    try {
      const call = await this.kinds.of(action.kind).signedCall(action, action.signature);
      return call === null ? null : { ...call, chainId: `0x${this.chain.chainId.toString(16)}` };
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) return null;
      throw error;
    }
  }
}
