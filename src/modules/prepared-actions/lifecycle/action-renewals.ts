import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { requestDigest } from '#libs/kernel';
import type { ActionStatus } from '#libs/prepared-action';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { RequestingCredentials } from '../../oauth/storage/requesting-credential.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { ActionHistory } from './action-history.js';
import { NEWEST } from './action-renewals.sql.js';
import { isPreparableKind } from '../registry/kind-registry.js';
import type { OriginatingRequest } from '../action/originating-request.js';
import { PreparedActionEntity } from '../action/prepared-action.entity.js';
import { PreparedActionsService } from '../prepared-actions.service.js';
import type { ActionIntent } from '../action/prepared-kind.js';

/** Nothing came of the action and nothing can any more, and nobody has said no. */
const RENEWABLE: readonly ActionStatus[] = ['expired', 'failed'];

/** Somebody else renewed the action at the same moment; what was prepared here is taken back. */
class RenewedMeanwhile extends Error {}

/** Prepares an action again whose time is over, by the request that was stored with it and nothing else. */
@Injectable()
export class ActionRenewals {
  constructor(
    private readonly transactions: Transactions,
    private readonly actions: PreparedActionsService,
    private readonly history: ActionHistory,
    private readonly accounts: AccountsService,
    private readonly credentials: RequestingCredentials,
    private readonly audit: AuditLog,
  ) {}

  /** The action that stands in the place of this one: the newest that it was renewed as, or itself. */
  async newestOf({ id }: PreparedActionEntity): Promise<PreparedActionEntity> {
    const { manager } = this.transactions;
    const [row] = await manager.query<{ id: string }[]>(NEWEST, [id]);
    return manager.findOneByOrFail(PreparedActionEntity, { id: row?.id ?? id });
  }

  /**
   * The action that stands in the place of this one. Where that cannot be signed any more either, it is prepared again:
   * in the name of who asked for it first, under what holds for them now.
   * @param auditId `X-Request-Id`.
   * @throws ApiError `state_conflict` when it needs no renewal, or who asked may not ask any more; else as the operation
   * that prepared it.
   */
  async renew(action: PreparedActionEntity, auditId: string): Promise<PreparedActionEntity> {
    const newest = await this.newestOf(action);
    const { status } = await this.history.statusOf(newest);
    if (!RENEWABLE.includes(status)) {
      if (newest.id !== action.id) return newest;
      throw new ApiError('state_conflict', `The action is ${status}; only one that has expired or failed is renewed.`);
    }
    try {
      return await this.transactions.unit(() => this.prepareAgain(newest, auditId));
    } catch (error) {
      if (error instanceof RenewedMeanwhile) return this.newestOf(newest);
      throw error;
    }
  }

  /** Asks the chain first; what is written then, the new action above all, is one transaction with the mark on this one. */
  private async prepareAgain(action: PreparedActionEntity, auditId: string): Promise<PreparedActionEntity> {
    const { id, kind, accountId, request, renewedBy: gone } = action;
    if (request === null || !isPreparableKind(kind)) throw cannotAskAgain();
    const intent = await this.intentOf(action, request);
    const { action_id: renewedBy } = await this.actions.prepareStored(kind, intent, request);
    return this.transactions.run(async (manager) => {
      const where = { id, renewedBy: gone === null ? IsNull() : gone };
      const { affected } = await manager.update(PreparedActionEntity, where, { renewedBy });
      if (affected !== 1) throw new RenewedMeanwhile();
      const detail = { kind, renewed: id };
      await this.audit.record({
        event: 'action_renewed',
        requestId: auditId,
        accountId,
        clientId: action.clientId,
        credentialId: renewedBy,
        detail,
      });
      return manager.findOneByOrFail(PreparedActionEntity, { id: renewedBy });
    });
  }

  /** @throws ApiError `state_conflict`, `account_suspended`. */
  private async intentOf(action: PreparedActionEntity, request: OriginatingRequest): Promise<ActionIntent> {
    const { accountId, clientId, credentialId, scope } = action;
    const account = await this.accounts.find(accountId);
    if (account.status !== 'active') throw new ApiError('account_suspended', 'The account is suspended.');
    const credential = credentialId === null ? null : await this.credentials.find(accountId, credentialId);
    if (credentialId === null || !credential?.isLive || !credential.scopes.includes(scope)) throw cannotAskAgain();
    const { fundingCap } = credential;
    return {
      accountId,
      walletAddress: account.walletAddress,
      credentialId,
      ...(clientId === null ? {} : { clientId }),
      ...(fundingCap === null ? {} : { fundingCap }),
      requestDigest: requestDigest(request.body),
      request,
    };
  }
}

function cannotAskAgain(): ApiError {
  return new ApiError(
    'state_conflict',
    'Whoever asked for this cannot ask for it again: their access has ended.',
    'Connect the application again, and ask there.',
  );
}
