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

/** Statuses of an action that may be prepared again: it did not succeed, and nobody declined it. */
const RENEWABLE: readonly ActionStatus[] = ['expired', 'failed'];

/** Thrown when another request renewed the action at the same moment; it rolls back what was prepared here. */
class RenewedMeanwhile extends Error {}

/** Prepares an expired or failed action again, from nothing but the request that was stored with it. */
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

  /**
   * The newest renewal of the action; the action itself when it has none. One statement, so that `renewedBy` names a
   * renewal that is gone, and never one that was committed since the action was found to be the newest.
   */
  async newestOf({ id }: PreparedActionEntity): Promise<PreparedActionEntity> {
    const { manager } = this.transactions;
    return manager
      .createQueryBuilder(PreparedActionEntity, 'action')
      .where(`action.id = (${NEWEST})`, { id })
      .getOneOrFail();
  }

  /**
   * The newest renewal of the action. When that has expired or failed as well, it is prepared again, in the name of the
   * credential that asked first and with the rights that this credential has now.
   * @param auditId `X-Request-Id`.
   * @throws ApiError `state_conflict` when the action needs no renewal or that credential may no longer ask;
   * `account_suspended`; else as the operation that prepared it.
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

  /** Prepares the new action and marks this one as renewed in one transaction; the chain is asked before it begins. */
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

  /** The stored intent with the credential's rights of now. @throws ApiError `state_conflict`, `account_suspended`. */
  private async intentOf(action: PreparedActionEntity, request: OriginatingRequest): Promise<ActionIntent> {
    const { accountId, clientId, credentialId, scope } = action;
    const account = await this.accounts.find(accountId);
    if (account.status !== 'active') throw new ApiError('account_suspended', 'The account is suspended.');
    const credential = credentialId === null ? null : await this.credentials.find(accountId, credentialId);
    if (credentialId === null || !credential?.isLive || !credential.scopes.includes(scope)) throw cannotAskAgain();
    const { fundingCap } = credential;
    const spendPolicyId = await this.credentials.spendPolicyOf(accountId, credential);
    return {
      accountId,
      walletAddress: account.walletAddress,
      credentialId,
      ...(clientId === null ? {} : { clientId }),
      ...(fundingCap === null ? {} : { fundingCap }),
      ...(spendPolicyId === null ? {} : { spendPolicyId }),
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
