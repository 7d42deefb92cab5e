import { Injectable } from '@nestjs/common';
import type { ActionStatus } from '#libs/prepared-action';
import { ChainConfig } from '../../platform/chain/chain-config.js';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { ActionHistory } from './action-history.js';
import { isPreparableKind } from './action-kind.js';
import { ActionDto } from './dto/action.dto.js';
import { KindRegistry } from './kind-registry.js';
import { PreparedActionEntity } from './prepared-action.entity.js';
import type { SignedCall } from './prepared-kind.js';
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
    return this.present(await this.find(accountId, actionId));
  }

  /**
   * An action as its principal reads it.
   * @param call with the signature inside, where the caller has just made it.
   */
  async present(action: PreparedActionEntity, call?: SignedCall | null): Promise<ActionDto> {
    const standing = await this.history.statusOf(action);
    const isSendable = SENDABLE.includes(standing.status);
    const sendable = isSendable && call === undefined ? await this.signedCall(action) : call;
    const transaction =
      isSendable && sendable ? { ...sendable, chainId: `0x${this.chain.chainId.toString(16)}` } : null;
    return ActionDto.of(action, this.links.reopen(action), { ...standing, transaction });
  }

  /** @throws ApiError `not_found` alike for an action that does not exist and one of another principal. */
  async find(accountId: string, actionId: string): Promise<PreparedActionEntity> {
    const action = await this.transactions.manager.findOneBy(PreparedActionEntity, { id: actionId, accountId });
    if (!action) throw new ApiError('not_found', 'There is no such action.');
    return action;
  }

  /** The call with the signature inside; null when none was handed in, and when what the call needs is gone. */
  private async signedCall(action: PreparedActionEntity): Promise<SignedCall | null> {
    if (action.signature === null || !isPreparableKind(action.kind)) return null;
    try {
      return await this.kinds.of(action.kind).signedCall(action, action.signature);
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) return null;
      throw error;
    }
  }
}
