import { Injectable } from '@nestjs/common';
import type { ActionStatus } from '#libs/prepared-action';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import type { Principal } from '../../../platform/http/principal.js';
import { ActionHistory, type SeenTransactions } from './action-history.js';
import type { Standing } from '../action/action-status.js';
import { ActionDto, type ReadyTransaction } from '../dto/action.dto.js';
import { isPreparableKind, KindRegistry } from '../registry/kind-registry.js';
import { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { SignedCall } from '../action/prepared-kind.js';
import { SigningLinks } from '../action/signing-links.js';

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

  /**
   * An action as this credential may see it: whole where it has the scope that prepared the action, else without link,
   * match code and calls.
   * @throws ApiError `not_found` alike for an action that does not exist and one of another principal.
   */
  async get({ accountId, scopes }: Pick<Principal, 'accountId' | 'scopes'>, actionId: string): Promise<ActionDto> {
    const action = await this.find(accountId, actionId);
    if (scopes.includes(action.scope)) return this.present(action);
    return ActionDto.outline(action, await this.history.statusOf(action));
  }

  /**
   * The whole action, for a caller that may act on it.
   * @param call the call with the signature inside, where the caller has just made it; absent: it is made here.
   * @param seen what the chain said of the action's transactions; with `call` and `seen` the chain is not asked.
   */
  async present(action: PreparedActionEntity, call?: SignedCall | null, seen?: SeenTransactions): Promise<ActionDto> {
    const standing = await this.history.statusOf(action, seen);
    const transaction = await this.sendable(action, standing.status, call);
    return ActionDto.entire(action, this.links.reopen(action), { ...standing, transaction });
  }

  /** The whole action, in a standing that is known and in which nothing is left to be sent. The chain is not asked. */
  presentEnded(action: PreparedActionEntity, standing: Standing): ActionDto {
    return ActionDto.entire(action, this.links.reopen(action), { ...standing, transaction: null });
  }

  /**
   * The call that takes the signature to the chain; null when there is no signature or it can no longer be of use.
   * @param call as in `present`.
   */
  async sendable(
    action: PreparedActionEntity,
    status: ActionStatus,
    call?: SignedCall | null,
  ): Promise<ReadyTransaction | null> {
    if (!SENDABLE.includes(status)) return null;
    const signed = call === undefined ? await this.signedCall(action) : call;
    return signed === null ? null : { ...signed, chainId: `0x${this.chain.chainId.toString(16)}` };
  }

  /** @throws ApiError `not_found` alike for an action that does not exist and one of another principal. */
  async find(accountId: string, actionId: string): Promise<PreparedActionEntity> {
    const action = await this.transactions.manager.findOneBy(PreparedActionEntity, { id: actionId, accountId });
    if (!action) throw new ApiError('not_found', 'There is no such action.');
    return action;
  }

  /** The call with the signature inside; null when none was handed in, and when what the call needs is gone. */
  async signedCall(action: PreparedActionEntity): Promise<SignedCall | null> {
    if (action.signature === null || !isPreparableKind(action.kind)) return null;
    try {
      return await this.kinds.implementationOf(action.kind).signedCall(action, action.signature);
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) return null;
      throw error;
    }
  }
}
